//@ property: deadlock verdict: safe
// The mutex is given back while the thread polls.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *set(void *arg)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    pthread_mutex_lock(&mutex);
    while (!atomic_load(&flag)) {
        pthread_mutex_unlock(&mutex);
        usleep(10);
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
