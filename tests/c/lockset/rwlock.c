//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Readers and writers without end; a table is written under the write lock only.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int table;

static void *worker(void *unused)
{
    int seen = 0;
    if (__VERIFIER_nondet_int()) {
        pthread_rwlock_wrlock(&l);
        table = 1;
    } else {
        pthread_rwlock_rdlock(&l);
        seen = table;
    }
    pthread_rwlock_unlock(&l);
    return seen ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
