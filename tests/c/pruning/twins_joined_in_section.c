//@ property: assertion verdict: unsafe line: 14
//@ property: data-race verdict: safe
// One of two equal threads is joined in a section that does more: the other one may see that it has been.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static _Atomic int joined, came;

static void *work(void *arg) {
    if (++came == 1)
        assert(joined == 0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    __VERIFIER_atomic_begin();
    pthread_join(a, 0);
    joined = 1;
    __VERIFIER_atomic_end();
    pthread_join(b, 0);
    return 0;
}
