//@ property: data-race verdict: unsafe line: 19
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// What is copied is written meanwhile. Lines 11 and 19 race.
#include <pthread.h>
#include <string.h>

static char source[3] = {1, 2, 3}, one[3], two[3];

static void *copy(void *unused)
{
    memcpy(one, source, sizeof one);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, copy, 0);
    memcpy(source, two, sizeof two);
    pthread_join(thread, 0);
    return 0;
}
