//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Threads without end, each detached by the one that started it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned served;

static void *worker(void *request)
{
    pthread_mutex_lock(&m);
    served++;
    pthread_mutex_unlock(&m);
    return request;
}

int main(void)
{
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, worker, 0);
        pthread_detach(t);
    }
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
