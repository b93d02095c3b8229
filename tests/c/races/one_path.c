//@ property: all verdict: safe
// On both paths a mutex is taken, and it is the same.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void count(_Bool quick)
{
    if (quick) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    } else {
        pthread_mutex_lock(&mutex);
        counter += 2;
        pthread_mutex_unlock(&mutex);
    }
}

static void *work(void *unused)
{
    count(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    _Bool quick = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, work, 0);
    count(quick);
    pthread_join(thread, 0);
    return 0;
}
