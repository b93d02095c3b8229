//@ property: assertion verdict: unsafe line: 32
//@ property: data-race verdict: safe
// What is read in the section that joins one of two equal threads depends on which of them it is.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static _Atomic int came, done;

static void *work(void *arg) {
    if (++came == 1)
        done = 1;
    return 0;
}

static int seen;

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    __VERIFIER_atomic_begin();
    pthread_join(a, 0);
    seen = done;
    __VERIFIER_atomic_end();
    pthread_join(b, 0);
    int early = seen;
    // The other one came first, and had not done its work.
    assert(done == 1);
    assert(early == 1);
    return 0;
}
