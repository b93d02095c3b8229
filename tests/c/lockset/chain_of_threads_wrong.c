//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 23
// Servers start servers, and main writes the counter before it takes the lock.
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
    n = 0;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(thread-bound)
//@ known: explicit all unknown(limit)
