//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// The serial thread may destroy the barrier although the other one has not returned.
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *arg)
{
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&b);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
