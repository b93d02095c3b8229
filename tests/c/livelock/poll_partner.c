//@ property: livelock verdict: safe
// Two threads poll and note that they did; main, which can always go on, sets the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, noted;

static void *one(void *arg)
{
    while (!atomic_load(&flag))
        atomic_store(&noted, 1);
    return arg;
}

static void *two(void *arg)
{
    while (!atomic_load(&flag))
        atomic_store(&noted, 2);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    atomic_store(&flag, 1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

//@ known: order livelock unknown(undecided)
