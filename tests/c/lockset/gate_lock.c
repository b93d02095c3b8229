//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Two locks are taken in both orders, but only under a third one: nobody waits in a circle.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    int swap = __VERIFIER_nondet_int();
    pthread_mutex_t *first = swap ? &n : &m, *second = swap ? &m : &n;
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(&gate);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
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
//@ known: lockset all unknown(unproved)
