//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 16
// The lock is taken and given back under a condition, the counter is written in any case.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    int shared = __VERIFIER_nondet_int();
    if (shared)
        pthread_mutex_lock(&m);
    n++;
    if (shared)
        pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
//@ known: portfolio memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: lockset deadlock,lock-misuse unknown(unproved)
