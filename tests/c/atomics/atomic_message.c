//@ property: all verdict: safe
//@ run: gcc
// An atomic flag publishes plain data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *send(void *arg) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, send, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42);
    pthread_join(t, 0);
    return 0;
}
