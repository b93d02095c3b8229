//@ property: deadlock verdict: unsafe
// Two threads poll a flag under attempts to acquire one mutex. An attempt may fail because of the other thread, and the
// thread that fails goes round all the same.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *wait(void *arg)
{
    for (;;) {
        if (pthread_mutex_trylock(&mutex))
            continue;
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            return arg;
    }
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, wait, 0);
    pthread_create(&other, 0, wait, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
