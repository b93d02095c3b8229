//@ property: deadlock verdict: safe
// The mutex is released and acquired again in every round, by the only thread that uses it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *wait(void *arg)
{
    pthread_mutex_lock(&mutex);
    while (!done) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    done = 1;
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
