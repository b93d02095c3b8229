//@ property: deadlock verdict: safe
// While one thread spins the other one goes on: the first takes the flag away again and again until it is answered.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn, answered;

static void *answer(void *arg)
{
    while (atomic_load(&turn) != 1)
        ;
    atomic_store(&answered, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, answer, 0);
    while (!atomic_load(&answered)) {
        atomic_store(&turn, 1);
        atomic_store(&turn, 0);
    }
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
