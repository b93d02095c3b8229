//@ property: deadlock verdict: safe
// A wait in a do-while loop at the beginning of an endless one; the flag is set, and main ends the program.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait(void *arg)
{
    do {
        do {
        } while (!atomic_load(&flag));
        atomic_store(&rounds, 1);
    } while (1);
    return arg;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, 0, wait, 0);
    atomic_store(&flag, 1);
    return 0;
}
