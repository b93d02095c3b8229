//@ property: deadlock verdict: unsafe line: 24
// The other thread has ended. Most of a round is under the mutex, so a look at the thread is likely to fall in there.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *run(void *arg)
{
    return arg;
}

int main(void)
{
    int result = 0;
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    for (;;) {
        pthread_mutex_lock(&mutex);
        result = 0;
        result = 0;
        result = 0;
        int seen = done;
        result = 0;
        result = 0;
        pthread_mutex_unlock(&mutex);
        if (seen)
            break;
    }
    return result;
}
