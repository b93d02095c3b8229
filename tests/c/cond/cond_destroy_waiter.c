//@ property: lock-misuse verdict: unsafe line: 25
//@ property: assertion,data-race,memory verdict: safe
// A thread may wait there that nobody has woken.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_destroy(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
