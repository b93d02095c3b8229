//@ property: deadlock verdict: unsafe
// One thread holds the mutex and spins; the other one, who would set the flag, waits for the mutex.
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
    while (!atomic_load(&flag))
        usleep(10);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
