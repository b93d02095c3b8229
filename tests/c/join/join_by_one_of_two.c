//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// Two threads could join the same one, but a lock and a flag decide which of them does.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int joined;
static pthread_t target;

static void *work(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_mutex_lock(&m);
    if (!joined) {
        joined = 1;
        pthread_join(target, 0);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&target, 0, work, 0);
    pthread_create(&a, 0, joins, 0);
    pthread_create(&b, 0, joins, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
