//@ property: data-race verdict: unsafe line: 11
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The end of the string is written, too. Lines 11 and 19 race.
#include <pthread.h>
#include <string.h>

static char buffer[4];

static void *copy(void *unused)
{
    strcpy(buffer, "abc");
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, copy, 0);
    buffer[3] = 1;
    pthread_join(thread, 0);
    return 0;
}
