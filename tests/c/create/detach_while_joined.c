//@ property: thread-misuse verdict: unsafe
//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// Whoever waits to join a thread must not lose it: the thread's memory may be gone when the wait ends.
#include <pthread.h>

static pthread_t target;

static void *work(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_join(target, 0);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&target, 0, work, 0);
    pthread_create(&a, 0, joins, 0);
    pthread_detach(target);
    pthread_join(a, 0);
    return 0;
}
