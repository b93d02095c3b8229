//@ property: deadlock verdict: unsafe line: 13
// Nobody sets the flag that is read under a mutex.
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
    pthread_join(thread, 0);
    return 0;
}
