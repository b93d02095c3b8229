//@ property: livelock verdict: unsafe
//@ property: deadlock verdict: safe
// Each thread wants another value, and undoes what the other one has done.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *one(void *arg)
{
    while (atomic_load(&turn) != 1)
        atomic_store(&turn, 0);
    return arg;
}

static void *two(void *arg)
{
    while (atomic_load(&turn) != 2)
        atomic_store(&turn, 3);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
//@ known: order livelock unknown(undecided)
