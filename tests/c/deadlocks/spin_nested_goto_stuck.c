//@ property: deadlock verdict: unsafe line: 11
// A wait at the label that an endless loop goes back to, and nobody sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait(void *arg)
{
again:
    while (!atomic_load(&flag))
        ;
    atomic_store(&rounds, 1);
    goto again;
    return arg;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, 0, wait, 0);
    pthread_join(waiter, 0);
    return 0;
}
