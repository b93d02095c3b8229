//@ property: all verdict: safe
//@ run: gcc
// Initialising over a static initialiser, or again what nobody holds, is no misuse; nor is a mutex in place of one
// that was destroyed.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *work(void *arg)
{
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&m, 0);
    pthread_cond_init(&c, 0);
    work(0);
    pthread_mutex_init(&m, 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_destroy(&m) == 0);
    pthread_mutex_init(&m, 0);
    work(0);
    pthread_mutex_destroy(&m);
    m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    work(0);
    return 0;
}
