//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// A thread that ends inside its section lets nobody run after it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int inside;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    inside = 1;
    pthread_exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(!inside);
    return 0;
}
