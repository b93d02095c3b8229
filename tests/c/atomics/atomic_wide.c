//@ property: all verdict: safe
// An atomic struct that no instruction can move: the library takes a lock, so it is never torn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct wide { long a, b, c; };
static _Atomic struct wide shared;

static void *writer(void *arg) {
    struct wide w = {1, 1, 1};
    atomic_store(&shared, w);
    struct wide expected = {1, 1, 1}, next = {2, 2, 2};
    assert(atomic_compare_exchange_strong(&shared, &expected, next));
    assert(!atomic_compare_exchange_strong(&shared, &expected, w) && expected.b == 2);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    struct wide w = shared;
    assert(w.a == w.b && w.b == w.c);
    pthread_join(t, 0);
    struct wide last = {3, 3, 3};
    w = atomic_exchange(&shared, last);
    assert(w.a == 2 && w.c == 2);
    shared = w;
    w = atomic_load(&shared);
    assert(w.b == 2);
    return 0;
}
