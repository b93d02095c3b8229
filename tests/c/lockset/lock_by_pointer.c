//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// The lock is a parameter, the same for every call.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static unsigned count, calls;

static void add(pthread_mutex_t *lock, unsigned *to)
{
    pthread_mutex_lock(lock);
    ++*to;
    pthread_mutex_unlock(lock);
}

static void *worker(void *unused)
{
    add(&m, &count);
    add(&n, &calls);
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
