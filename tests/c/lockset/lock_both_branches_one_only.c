//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 19
//@ property: lock-misuse verdict: unsafe line: 20
// One branch takes the lock, the other does not.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    int add = 1;
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        add = 2;
    }
    n += add;
    pthread_mutex_unlock(&m);
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
