//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe
// As many threads as the input says. Each branch takes a lock, but both write the same counter.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static unsigned odd;

static void *worker(void *which)
{
    if (which) {
        pthread_mutex_lock(&m);
        odd++;
        pthread_mutex_unlock(&m);
    } else {
        pthread_mutex_lock(&n);
        odd++;
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

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(cut)
