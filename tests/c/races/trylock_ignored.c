//@ property: all verdict: safe
//@ run: gcc
// Leaves it when the mutex was not to be had.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
    int failed = pthread_mutex_trylock(&mutex);
    if (!failed) {
        counter++;
        pthread_mutex_unlock(&mutex);
    }
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
