//@ property: thread-misuse verdict: unsafe line: 18
// The handle may be read before it is stored.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t target;

static void *work(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_t copy = target;
    pthread_mutex_unlock(&m);
    pthread_join(copy, 0);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, joins, 0);
    pthread_mutex_lock(&m);
    pthread_create(&target, 0, work, 0);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    return 0;
}
