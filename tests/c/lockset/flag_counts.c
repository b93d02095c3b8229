//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: assertion verdict: unsafe line: 18
// A flag that is 0 or 1 until two threads have raised it.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    flag += __VERIFIER_nondet_int() ? 1 : 0;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(flag == 0 || flag == 1);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,data-race,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,data-race,deadlock,division-by-zero unknown(limit)
