//@ property: assertion,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe line: 19
// One of the threads gives back a lock that it never took, so the others are not kept apart.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *careless(void *unused)
{
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, worker, 0);
        pthread_create(&t, 0, careless, 0);
    }
}

//@ known: order memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,assertion,deadlock,thread-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
