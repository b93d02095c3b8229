//@ property: deadlock verdict: unsafe
// The flag is polled under a recursive mutex that is acquired twice: how often is seen by nobody.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static atomic_int done;

static void *wait(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
        int seen = done;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_unlock(&mutex);
        if (seen)
            return arg;
    }
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    pthread_create(&thread, 0, wait, 0);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
