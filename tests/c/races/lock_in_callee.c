//@ property: all verdict: safe
//@ run: gcc
// One function takes the mutex, another one gives it back; the access is between them.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int *enter(void)
{
    pthread_mutex_lock(&mutex);
    return &counter;
}

static void leave(void)
{
    pthread_mutex_unlock(&mutex);
}

static void *count(void *unused)
{
    int *place = enter();
    ++*place;
    leave();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    return 0;
}
