//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// The two orders stand in two branches, each of which begins with the gate.
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *other_way)
{
    pthread_mutex_lock(&gate);
    if (other_way) {
        pthread_mutex_lock(&n);
        pthread_mutex_lock(&m);
    } else {
        pthread_mutex_lock(&m);
        pthread_mutex_lock(&n);
    }
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&gate);
    return 0;
}

int main(void)
{
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, worker, 0);
        pthread_create(&t, 0, worker, &t);
    }
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
