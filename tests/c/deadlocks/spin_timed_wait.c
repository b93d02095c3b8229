//@ property: deadlock verdict: safe
// An event loop that waits for a while and looks around: it does not spin.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int stop;

static void *loop(void *arg)
{
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&mutex);
    while (!stop)
        pthread_cond_timedwait(&event, &mutex, &soon);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, loop, 0);
    pthread_join(thread, 0);
    return 0;
}
