//@ property: all verdict: safe
//@ run: gcc
// Every return gives the mutex back.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int left = 1;

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (left == 0) {
        pthread_mutex_unlock(&mutex);
        return unused;
    }
    left--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    take(0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
