//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Atomic sections guard the counter of any number of threads.
#include <pthread.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static unsigned n;

static void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    n++;
    __VERIFIER_atomic_end();
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
