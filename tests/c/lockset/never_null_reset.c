//@ property: null-deref verdict: unsafe line: 11
// A pointer that main sets before the threads start and that they take away.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y, *p;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    *p = 1;
    p = p == &x ? &y : 0;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    p = &x;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
