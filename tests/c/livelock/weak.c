//@ property: livelock verdict: safe
// A weak compare-and-swap that may fail for no reason, in two threads that both want to count: some time it succeeds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *one(void *arg)
{
    int seen = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
        ;
    return arg;
}

static void *two(void *arg)
{
    int seen = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
        ;
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
