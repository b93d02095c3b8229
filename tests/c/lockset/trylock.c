//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A thread that does not get the lock goes on without it, and leaves the counter alone.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&m) == 0) {
        n++;
        pthread_mutex_unlock(&m);
    }
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
