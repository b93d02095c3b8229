//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 12
// The lock is a parameter, and the same counter is passed with two of them.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;

static void add(pthread_mutex_t *lock, unsigned *to)
{
    pthread_mutex_lock(lock);
    ++*to;
    pthread_mutex_unlock(lock);
}

static void *worker(void *unused)
{
    add(&m, &count);
    add(&n, &count);
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
