//@ property: livelock verdict: safe
//@ property: deadlock verdict: safe
// Two threads beat each its own heart until somebody sets the flag, which main does. Their steps commute.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, heart[2];

static void *one(void *arg)
{
    while (!atomic_load(&flag)) {
        atomic_store(&heart[0], 1);
        atomic_store(&heart[0], 0);
    }
    return arg;
}

static void *two(void *arg)
{
    while (!atomic_load(&flag)) {
        atomic_store(&heart[1], 1);
        atomic_store(&heart[1], 0);
    }
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

//@ known: order deadlock unknown(loop-bound)
//@ known: order livelock unknown(undecided)
