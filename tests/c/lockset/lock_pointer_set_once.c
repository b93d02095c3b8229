//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// The pointer to the lock is set before the first thread starts.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *lock;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_lock(lock);
    n++;
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    lock = &m;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
