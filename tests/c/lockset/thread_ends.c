//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Each thread gives the lock back before it ends.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    n++;
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_unlock(&m);
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

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
