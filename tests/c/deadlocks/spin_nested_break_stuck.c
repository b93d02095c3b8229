//@ property: deadlock verdict: unsafe line: 12
// A wait that is left by a break, at the beginning of an endless loop, and nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait(void *arg)
{
    for (;;) {
        for (;;) {
            if (atomic_load(&flag))
                break;
        }
        atomic_store(&rounds, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, 0, wait, 0);
    pthread_join(waiter, 0);
    return 0;
}
