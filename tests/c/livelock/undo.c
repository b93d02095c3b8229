//@ property: livelock verdict: safe
// Each thread wants another value, and sets its own only where that undoes nothing.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *one(void *arg)
{
    while (atomic_load(&turn) != 2) {
        int none = 0;
        atomic_compare_exchange_strong(&turn, &none, 1);
    }
    return arg;
}

static void *two(void *arg)
{
    while (atomic_load(&turn) != 1)
        ;
    atomic_store(&turn, 2);
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

//@ known: order livelock unknown(undecided)
