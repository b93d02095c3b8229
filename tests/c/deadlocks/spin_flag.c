//@ property: deadlock verdict: safe
// Both wait for each other in turns, and each wait comes to its end.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value, ready;

static void *produce(void *arg)
{
    while (atomic_load(&value) != 1)
        ;
    atomic_store(&ready, 1);
    return arg;
}

static void *consume(void *arg)
{
    atomic_store(&value, 1);
    while (!atomic_load(&ready))
        ;
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, produce, 0);
    pthread_create(&two, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
