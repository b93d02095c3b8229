//@ property: livelock verdict: unsafe
//@ property: deadlock verdict: safe
// Each thread gives its own lock back when it does not get the other's, and takes it again. Both may do so in step for ever.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *forth(void *arg)
{
    pthread_mutex_lock(&a);
    while (pthread_mutex_trylock(&b) != 0) {
        pthread_mutex_unlock(&a);
        pthread_mutex_lock(&a);
    }
    shared++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *back(void *arg)
{
    pthread_mutex_lock(&b);
    while (pthread_mutex_trylock(&a) != 0) {
        pthread_mutex_unlock(&b);
        pthread_mutex_lock(&b);
    }
    shared++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, forth, 0);
    pthread_create(&two, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
//@ known: order livelock unknown(undecided)
