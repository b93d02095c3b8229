//@ property: deadlock verdict: unsafe line: 13
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A thread with nothing to do does not come to the barrier. Blocked in line 13.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_barrier_t barrier;

static void *work(void *has_work)
{
    if (has_work)
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
