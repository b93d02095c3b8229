//@ property: all verdict: safe
// A failing assumption inside a section: the section was not entered, and is tried again.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int cond);

static int locked, x;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(locked == 0);
    locked = 1;
}

void __VERIFIER_atomic_release(void) {
    locked = 0;
}

static void *work(void *arg) {
    __VERIFIER_atomic_acquire();
    x++;
    __VERIFIER_atomic_release();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
