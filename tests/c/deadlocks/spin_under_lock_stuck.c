//@ property: deadlock verdict: unsafe line: 26
// Polling under a lock, taken and given back in every round, for what nobody sets any more.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, wanted;

static void *finish(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (wanted)
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
