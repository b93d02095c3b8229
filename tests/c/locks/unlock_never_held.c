//@ property: lock-misuse verdict: unsafe
// Nobody ever takes the mutex that two threads give back: its word is known, and whoever looks at it holds nothing.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    return 0;
}
