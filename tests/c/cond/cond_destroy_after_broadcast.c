//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// Those who were woken need not have returned.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, waits;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    if (!go) {
        waits = 1;
        pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(&c);
    pthread_join(t, 0);
    return 0;
}
