//@ property: livelock verdict: safe
// Two servers hand a token to and fro for ever: they go round in loops without an exit, which is what they are for.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int token;

static void *one(void *arg)
{
    for (;;) {
        if (atomic_load(&token) == 0)
            atomic_store(&token, 1);
    }
    return arg;
}

static void *two(void *arg)
{
    for (;;) {
        if (atomic_load(&token) == 1)
            atomic_store(&token, 0);
    }
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
