//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: deadlock verdict: unsafe
// Any number of threads take two locks in one order, and main takes them in the other.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static unsigned x;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&n);
        x++;
        pthread_mutex_unlock(&n);
    }
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

//@ known: order memory,misuse,assertion,data-race,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,data-race,division-by-zero unknown(limit)
