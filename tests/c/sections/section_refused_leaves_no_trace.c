//@ property: assertion,deadlock verdict: safe
// A section whose assumption does not hold was not entered: what it did before is undone.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

static int entered, taken;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    entered++;
    __VERIFIER_assume(!taken);
    taken = 1;
    __VERIFIER_atomic_end();

    __VERIFIER_atomic_begin();
    assert(entered == 1);
    entered = 0;
    taken = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
