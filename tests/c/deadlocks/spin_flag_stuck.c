//@ property: deadlock verdict: unsafe line: 19
// The flag is not set if the value is seen too early.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value, ready;

static void *produce(void *arg)
{
    if (atomic_load(&value) == 1)
        atomic_store(&ready, 1);
    return arg;
}

static void *consume(void *arg)
{
    atomic_store(&value, 1);
    /* Nobody sets it any more. */
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
