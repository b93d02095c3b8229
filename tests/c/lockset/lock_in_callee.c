//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// The lock is taken and given back by functions of the program's own.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned n;

static void enter(void)
{
    pthread_mutex_lock(&m);
}

static void leave(void)
{
    pthread_mutex_unlock(&m);
}

static void *worker(void *unused)
{
    enter();
    n++;
    leave();
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
