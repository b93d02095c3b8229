//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The section races only if the thread has taken a step that has nothing to do with it.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static atomic_int unrelated;
static int shared;

static void *work(void *arg) {
    unrelated = 1;
    shared = 5;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    __VERIFIER_atomic_begin();
    shared++;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    return 0;
}
