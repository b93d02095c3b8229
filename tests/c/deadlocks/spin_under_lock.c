//@ property: deadlock verdict: safe
// Polling under a lock for what the other thread sets in the end.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, wanted;

static void *finish(void *arg)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, finish, 0);
    pthread_mutex_lock(&mutex);
    wanted = 1;
    pthread_mutex_unlock(&mutex);
    for (;;) {
        pthread_mutex_lock(&mutex);
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            break;
    }
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
