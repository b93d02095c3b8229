//@ property: deadlock verdict: safe
// One label for two ways back is one loop, which has no exit: the thread goes on serving, like one that says continue.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait(void *arg)
{
again:
    if (!atomic_load(&flag))
        goto again;
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
