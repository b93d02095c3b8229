//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy
// What was written before the barrier is read after it.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cell[2];

static void *work(void *arg) {
    int own = (int)(long)arg;
    cell[own] = own + 1;
    pthread_barrier_wait(&barrier);
    assert(cell[1 - own] == 2 - own);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_barrier_init(&barrier, 0, 2) == 0);
    pthread_create(&t, 0, work, (void *)1);
    work((void *)0);
    pthread_join(t, 0);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
