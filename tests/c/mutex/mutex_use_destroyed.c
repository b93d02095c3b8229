//@ property: lock-misuse verdict: unsafe line: 15
//@ property: assertion,data-race,deadlock,memory verdict: safe
// The worker comes when the mutex has been destroyed. Unchecked, the calls do nothing and say EINVAL.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t go;

static void *work(void *arg)
{
    sem_wait(&go);
    assert(pthread_mutex_lock(&m) == EINVAL);
    assert(pthread_mutex_trylock(&m) == EINVAL);
    assert(pthread_mutex_unlock(&m) == EINVAL);
    assert(pthread_mutex_destroy(&m) == EINVAL);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&go, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    sem_post(&go);
    pthread_join(t, 0);
    return 0;
}
