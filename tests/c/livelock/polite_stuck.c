//@ property: livelock verdict: unsafe
//@ property: deadlock verdict: safe
// Both step back as long as the other one wants to go first, and announce themselves again.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];

static void *one(void *arg)
{
    atomic_store(&wants[0], 1);
    while (atomic_load(&wants[1])) {
        atomic_store(&wants[0], 0);
        atomic_store(&wants[0], 1);
    }
    atomic_store(&wants[0], 0);
    return arg;
}

static void *two(void *arg)
{
    atomic_store(&wants[1], 1);
    while (atomic_load(&wants[0])) {
        atomic_store(&wants[1], 0);
        atomic_store(&wants[1], 1);
    }
    atomic_store(&wants[1], 0);
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

//@ known: order deadlock unknown(loop-bound)
//@ known: order livelock unknown(undecided)
