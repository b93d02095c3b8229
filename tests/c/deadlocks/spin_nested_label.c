//@ property: deadlock verdict: safe
// A wait made of a label and a goto at the beginning of an endless loop; the flag is set, and main ends the program.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait(void *arg)
{
    for (;;) {
    again:
        if (!atomic_load(&flag))
            goto again;
        atomic_store(&rounds, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, 0, wait, 0);
    atomic_store(&flag, 1);
    return 0;
}
