//@ property: all verdict: safe
//@ run: gcc
// A broadcast wakes both waiting threads.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int open;

static void *pass(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!open)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, pass, 0);
    pthread_create(&two, 0, pass, 0);
    pthread_mutex_lock(&mutex);
    open = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
