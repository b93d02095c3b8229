//@ property: deadlock verdict: unsafe line: 10
// Two locks made of flags, taken in opposite orders: each thread spins on what the other one holds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag first = ATOMIC_FLAG_INIT, second = ATOMIC_FLAG_INIT;

static void take(atomic_flag *lock)
{
    while (atomic_flag_test_and_set(lock))
        ;
}

static void give(atomic_flag *lock)
{
    atomic_flag_clear(lock);
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
    take(&second);
    take(&first);
    shared--;
    give(&first);
    give(&second);
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
