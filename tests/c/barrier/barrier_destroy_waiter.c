//@ property: lock-misuse verdict: unsafe
// A thread may wait there.
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *arg)
{
    pthread_barrier_wait(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, 0);
    pthread_barrier_destroy(&b);
    return 0;
}
