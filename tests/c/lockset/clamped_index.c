//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// An index from outside that is refused if it does not fit.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned table[16];

static void *worker(void *unused)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 16)
        return unused;
    pthread_mutex_lock(&m);
    table[i]++;
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
