//@ property: all verdict: safe
// The older convention: the name makes the body atomic.
#include <assert.h>
#include <pthread.h>

static int x;

void __VERIFIER_atomic_add(int n) {
    int old = x;
    x = old + n;
}

static void *work(void *arg) {
    __VERIFIER_atomic_add(2);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_add(1);
    pthread_join(t, 0);
    assert(x == 3);
    return 0;
}
