//@ property: livelock verdict: safe
//@ property: deadlock verdict: unsafe
// Two threads poll under a lock, and nobody sets the flag: both spin, which is a deadlock and no livelock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *one(void *arg)
{
    for (int stop = 0; !stop;) {
        pthread_mutex_lock(&lock);
        stop = done;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *two(void *arg)
{
    for (int stop = 0; !stop;) {
        pthread_mutex_lock(&lock);
        stop = done;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

//@ known: order livelock unknown(undecided)
//@ known: order deadlock unknown(loop-bound)
