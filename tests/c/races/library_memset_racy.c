//@ property: data-race verdict: unsafe line: 11
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The last byte that is set is the first one of the other thread. Lines 11 and 19 race.
#include <pthread.h>
#include <string.h>

static char buffer[6];

static void *fill(void *unused)
{
    memset(buffer, 1, 4);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    buffer[3] = 2;
    pthread_join(thread, 0);
    return 0;
}
