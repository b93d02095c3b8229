//@ property: deadlock verdict: unsafe line: 12
// Two locks that yield while they spin, taken in opposite orders: each thread spins on what the other one holds.
#include <pthread.h>
#include <stdatomic.h>

#include <sched.h>

static atomic_int first, second;

static void take(atomic_int *lock)
{
    while (atomic_exchange(lock, 1) == 1)
        sched_yield();
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
