//@ property: lock-misuse verdict: unsafe line: 13
//@ property: assertion,data-race,memory verdict: safe
// Two threads wait at one condition variable at the same time, each with a mutex of its own.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg)
{
    pthread_mutex_lock(arg);
    pthread_cond_wait(&c, arg);
    pthread_mutex_unlock(arg);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait, &a);
    wait(&b);
    return 0;
}
