//@ property: all verdict: safe
//@ run: gcc
// The usual loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1;

static void *twice(void *arg) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &old, old * 2))
        ;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, twice, 0);
    twice(0);
    pthread_join(t, 0);
    assert(x == 4);
    return 0;
}
