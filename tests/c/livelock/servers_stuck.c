//@ property: livelock verdict: unsafe
// Two servers that wait for a turn of their own, in loops inside of their endless ones, and undo each other's.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int token;

static void *one(void *arg)
{
    for (;;) {
        while (atomic_load(&token) != 1)
            atomic_store(&token, 0);
        atomic_store(&token, 4);
    }
    return arg;
}

static void *two(void *arg)
{
    for (;;) {
        while (atomic_load(&token) != 2)
            atomic_store(&token, 3);
        atomic_store(&token, 4);
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
