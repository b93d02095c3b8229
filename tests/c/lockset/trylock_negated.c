//@ property: assertion,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe
// The result of trying is read the wrong way round: whoever gets the lock keeps it, and the next one writes without
// it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&m) != 0) {
        n++;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,assertion,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,assertion,thread-misuse,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,thread-misuse,division-by-zero unknown(unproved)
