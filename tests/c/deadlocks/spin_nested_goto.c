//@ property: deadlock verdict: safe
// A wait at the label that an endless loop goes back to; the flag is set, and main ends the program.
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
    atomic_store(&flag, 1);
    return 0;
}
