//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// A thread stopped by an assumption is not blocked, and who waits for it is not deadlocked.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int cond);

static void *stops(void *arg) {
    __VERIFIER_assume(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, stops, 0);
    pthread_join(t, 0);
    assert(0);
    return 0;
}
