//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: deadlock verdict: unsafe line: 18
// Two locks are taken in both orders; the third one that they are taken under is given back between them.
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
    pthread_mutex_unlock(&gate);
    pthread_mutex_lock(second);
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

//@ known: order memory,misuse,assertion,data-race,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio memory,misuse,assertion,data-race,division-by-zero unknown(loop-bound)
//@ known: lockset memory,misuse,assertion,data-race,division-by-zero unknown(unproved)
