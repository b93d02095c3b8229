//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: deadlock verdict: unsafe
// The two orders stand in two branches, and there is no gate.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *other_way)
{
    if (other_way) {
        pthread_mutex_lock(&n);
        pthread_mutex_lock(&m);
    } else {
        pthread_mutex_lock(&m);
        pthread_mutex_lock(&n);
    }
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
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

//@ known: order memory,misuse,assertion,data-race,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,data-race,division-by-zero unknown(limit)
