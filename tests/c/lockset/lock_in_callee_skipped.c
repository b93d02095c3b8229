//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 27
//@ property: lock-misuse verdict: unsafe line: 21
// The function that takes the lock sometimes does not: then the counter is unguarded and the lock not held when it is
// given back.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void enter(void)
{
    if (__VERIFIER_nondet_int())
        pthread_mutex_lock(&m);
}

static void leave(void)
{
    pthread_mutex_unlock(&m);
}

static void *worker(void *unused)
{
    enter();
    n++;
    leave();
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,assertion,deadlock,thread-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
