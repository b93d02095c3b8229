//@ property: deadlock verdict: unsafe line: 14
// Who holds the lock has ended; main does not notice, but the other waits for ever.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *arg)
{
    pthread_mutex_lock(&lock);
    return arg;
}
static void *waits(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, keeps, 0);
    pthread_create(&b, 0, waits, 0);
    pthread_join(a, 0);
    return 0;
}
