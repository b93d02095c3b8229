//@ property: all verdict: safe
//@ run: gcc
// The owner changes at the barrier.
#include <pthread.h>

static pthread_barrier_t barrier;
static int data;

static void *first(void *unused)
{
    data = 1;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&thread, 0, first, 0);
    pthread_barrier_wait(&barrier);
    data++;
    pthread_join(thread, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
