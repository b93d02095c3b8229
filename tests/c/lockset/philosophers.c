//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Three philosophers eat without end; each takes the fork with the smaller name first.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void eat(pthread_mutex_t *first, pthread_mutex_t *second)
{
    while (1) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
}

static void *one(void *unused)
{
    eat(&a, &b);
    return unused;
}

static void *two(void *unused)
{
    eat(&b, &c);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    eat(&a, &c);
}

//@ known: order all unknown(loop-bound)
