//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// The lock is taken, the counter written and the lock given back under the same condition.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    int shared = __VERIFIER_nondet_int();
    if (shared)
        pthread_mutex_lock(&m);
    if (shared)
        n++;
    if (shared)
        pthread_mutex_unlock(&m);
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
//@ known: lockset deadlock,lock-misuse unknown(unproved)
