//@ property: assertion,data-race,misuse,memory verdict: safe
// One condition variable with one mutex after the other: nobody waits with the first any more.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;

static void *wake(void *arg)
{
    pthread_mutex_lock(arg);
    turn++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(arg);
    return 0;
}

static void round(pthread_mutex_t *m, int next)
{
    pthread_t t;
    pthread_create(&t, 0, wake, m);
    pthread_mutex_lock(m);
    while (turn < next)
        pthread_cond_wait(&c, m);
    pthread_mutex_unlock(m);
    pthread_join(t, 0);
}

int main(void)
{
    round(&a, 1);
    round(&b, 2);
    return 0;
}
