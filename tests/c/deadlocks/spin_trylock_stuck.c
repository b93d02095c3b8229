//@ property: deadlock verdict: unsafe line: 10
// Two mutexes that are tried until they are free, taken in opposite orders: each thread spins on what the other one holds.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *lock)
{
    while (pthread_mutex_trylock(lock))
        ;
}

static void give(pthread_mutex_t *lock)
{
    pthread_mutex_unlock(lock);
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
