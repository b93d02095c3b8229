//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe line: 12
// The lock is given back twice; the second time another thread may hold it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,assertion,data-race,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,assertion,data-race,deadlock,thread-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,data-race,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,data-race,deadlock,thread-misuse,division-by-zero unknown(unproved)
