//@ property: deadlock verdict: safe
// One thread takes a mutex and gives it back in every round; the other one goes on when it finds it taken.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *watch(void *arg)
{
    while (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    atomic_store(&done, 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    while (!atomic_load(&done)) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
