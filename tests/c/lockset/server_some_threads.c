//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// As many threads as the input says, and each of two counters has a lock of its own.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static unsigned odd, even;

static void *worker(void *which)
{
    if (which) {
        pthread_mutex_lock(&m);
        odd++;
        pthread_mutex_unlock(&m);
    } else {
        pthread_mutex_lock(&n);
        even++;
        pthread_mutex_unlock(&n);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < count; i++)
        pthread_create(&t, 0, worker, i % 2 ? &odd : 0);
    pthread_mutex_lock(&m);
    odd = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(cut)
