//@ property: livelock verdict: safe
//@ property: deadlock verdict: safe
// Two event loops wake up when time has passed, and see that there is nothing to do: time passes, so they do not stand still.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static int stop;

static void *loop(void *arg)
{
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_timedwait(&news, &lock, &soon);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, loop, 0);
    pthread_create(&two, 0, loop, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
//@ known: order livelock unknown(undecided)
