//@ property: all verdict: safe
//@ run: gcc
// A barrier can be used again at once: a slow thread is not overtaken.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int a, b;

static void *work(void *arg) {
    a = 1;
    pthread_barrier_wait(&barrier);
    assert(b == 1);
    pthread_barrier_wait(&barrier);
    b = 2;
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t, 0, work, 0);
    b = 1;
    pthread_barrier_wait(&barrier);
    assert(a == 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    assert(b == 2);
    pthread_join(t, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
