//@ property: deadlock verdict: safe
// The innermost of three loops that begin at one place waits for a flag; it is set, and main ends the program.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *wait(void *arg)
{
    while (1)
        while (1)
            while (!atomic_load(&flag))
                ;
    return arg;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, 0, wait, 0);
    atomic_store(&flag, 1);
    return 0;
}
