//@ property: all verdict: safe
// A thread with nothing to do comes to the barrier, too.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_barrier_t barrier;

static void *work(void *has_work)
{
    if (1)
        pthread_barrier_wait(&barrier);
    return has_work;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, work, __VERIFIER_nondet_bool() ? &barrier : 0);
    work(&barrier);
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
