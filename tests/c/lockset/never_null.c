//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A pointer that main sets before the threads start and that they exchange for other valid ones.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y, *p;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    *p = 1;
    p = p == &x ? &y : &x;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    p = &x;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
