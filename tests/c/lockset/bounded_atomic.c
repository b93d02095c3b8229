//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A counter that grows by compare-and-exchange while it is below its limit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *worker(void *unused)
{
    int seen = n;
    while (seen < 3 && !atomic_compare_exchange_strong(&n, &seen, seen + 1))
        ;
    assert(n >= 0 && n <= 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset deadlock unknown(unproved)
