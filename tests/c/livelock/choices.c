//@ property: livelock verdict: safe
// Whether they try again is left open: a choice that is made for ever ends the loops some time.
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);
static atomic_int x;

static void *one(void *arg)
{
    while (__VERIFIER_nondet_bool())
        atomic_store(&x, 1);
    return arg;
}

static void *two(void *arg)
{
    while (__VERIFIER_nondet_bool())
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
