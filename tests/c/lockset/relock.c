//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe line: 12
//@ property: deadlock verdict: unsafe line: 12
// A mutex of the usual kind is taken once more by a function that is called with it held.
#include <pthread.h>

static pthread_mutex_t m;
static unsigned n;

static void add(void)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    add();
    n++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &kind);
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,assertion,data-race,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,assertion,data-race,thread-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,data-race,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,data-race,thread-misuse,division-by-zero unknown(unproved)
