//@ property: all verdict: safe
//@ run: gcc
// Two members of a union, but not the same byte of it.
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
    u.byte[1] = 2;
    pthread_join(thread, 0);
    return 0;
}
