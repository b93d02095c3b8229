//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Servers start servers: threads that start threads without end, all of them under one lock.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void *worker(void *unused)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    pthread_create(&t, 0, worker, unused);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    n = 0;
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

//@ known: order all unknown(thread-bound)
//@ known: explicit all unknown(limit)
