//@ property: assertion,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe line: 16
// The function that gives the lock back is called twice.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void enter(void)
{
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
