//@ property: all verdict: safe
//@ run: gcc
// Gives the first mutex back before it takes the second one.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int busy;

static void *work(void *unused)
{
    pthread_mutex_lock(&b);
    busy = 1;
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    if (busy) {
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
    }
    pthread_join(thread, 0);
    return 0;
}
