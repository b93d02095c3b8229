//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Two accounts are locked in the order of their indices: no deadlock, whatever the threads choose.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[3];

static void *worker(void *unused)
{
    unsigned from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
    if (from >= 3 || to >= 3 || from >= to)
        return unused;
    pthread_mutex_lock(&locks[from]);
    pthread_mutex_lock(&locks[to]);
    balance[from] ^= 1;
    balance[to] ^= 1;
    pthread_mutex_unlock(&locks[to]);
    pthread_mutex_unlock(&locks[from]);
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
