//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A divisor that is never less than one under its lock.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int divisor = 1;

static void *worker(void *unused)
{
    int share;
    pthread_mutex_lock(&m);
    share = 100 / divisor;
    if (divisor > 1)
        divisor--;
    else
        divisor = 10;
    pthread_mutex_unlock(&m);
    return share ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
