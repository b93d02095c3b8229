//@ property: division-by-zero verdict: unsafe line: 12
// A divisor that is counted down to zero.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int divisor = 1;

static void *worker(void *unused)
{
    int share;
    pthread_mutex_lock(&m);
    share = 100 / divisor;
    if (divisor > 0)
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
