//@ property: deadlock verdict: safe
// The shared flag is read under a mutex; the loop ends by a flag of its own.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *run(void *arg)
{
    int stop = 0;
    do {
        pthread_mutex_lock(&mutex);
        if (flag)
            stop = 1;
        pthread_mutex_unlock(&mutex);
    } while (!stop);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
