//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: deadlock verdict: unsafe line: 13
// A thread may end while it holds the lock: the others wait for ever.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    n++;
    if (__VERIFIER_nondet_int()) {
        pthread_exit(unused);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,data-race,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,data-race,division-by-zero unknown(limit)
//@ known: portfolio memory,misuse,assertion,data-race,division-by-zero unknown(loop-bound)
//@ known: lockset lock-misuse unknown(unproved)
