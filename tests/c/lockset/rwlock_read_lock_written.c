//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 16
// Readers and writers without end; all of them take the read lock.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int table;

static void *worker(void *unused)
{
    int seen = 0;
    if (__VERIFIER_nondet_int()) {
        pthread_rwlock_rdlock(&l);
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

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
