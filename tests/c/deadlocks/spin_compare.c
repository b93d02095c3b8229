//@ property: deadlock verdict: safe
// Two locks made of compare-and-swap, taken in the same order.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void take(atomic_int *lock)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(lock, &expected, 1))
        expected = 0;
}

static void give(atomic_int *lock)
{
    atomic_store(lock, 0);
}

static int shared;

static void *forth(void *arg)
{
    take(&first);
    take(&second);
    shared++;
    give(&second);
    give(&first);
    return arg;
}

static void *back(void *arg)
{
    take(&first);
    take(&second);
    shared--;
    give(&second);
    give(&first);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, forth, 0);
    pthread_create(&two, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
