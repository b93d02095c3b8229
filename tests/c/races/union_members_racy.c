//@ property: data-race verdict: unsafe line: 15
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two members of a union share the byte. Lines 15 and 23 race.
#include <pthread.h>

static union {
    struct {
        char low, high;
    } half;
    char byte[2];
} u;

static void *set(void *unused)
{
    u.half.low = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    u.byte[0] = 2;
    pthread_join(thread, 0);
    return 0;
}
