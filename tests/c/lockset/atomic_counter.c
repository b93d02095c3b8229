//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Any number of threads count with an atomic operation.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint n;

static void *worker(void *unused)
{
    atomic_fetch_add(&n, 1);
    return n ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
