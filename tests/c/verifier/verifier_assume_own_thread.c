//@ property: assertion verdict: unsafe line: 19
//@ property: deadlock,lock-misuse,memory verdict: safe
// An assumption that fails stops its own thread; the others go on. It is no deadlock.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int cond);

static void *stops(void *arg) {
    __VERIFIER_assume(0);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, stops, 0);
    pthread_self();
    assert(!"reached");
    pthread_join(t, 0);
    return 0;
}
