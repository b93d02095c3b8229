//@ property: livelock verdict: unsafe
// Which of two wrong values a thread writes is left open; neither of them is what the other thread waits for.
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);
static atomic_int x;

static void *one(void *arg)
{
    while (atomic_load(&x) != 5)
        atomic_store(&x, __VERIFIER_nondet_bool());
    return arg;
}

static void *two(void *arg)
{
    while (atomic_load(&x) != 6)
        atomic_store(&x, 2);
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
