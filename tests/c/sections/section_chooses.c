//@ property: assertion verdict: unsafe line: 35
//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// Which variable the section writes is its own choice: who looks at either must be tried before it.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static int left, right, seen;

static void *write(void *arg) {
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool())
        right = 1;
    else
        left = 1;
    __VERIFIER_atomic_end();
    return 0;
}

static void *look(void *arg) {
    seen = left;
    return 0;
}

int main(void) {
    pthread_t w, l;
    pthread_create(&w, 0, write, 0);
    pthread_create(&l, 0, look, 0);
    pthread_join(w, 0);
    pthread_join(l, 0);
    /* Fails if the look comes before the write. */
    assert(seen == left);
    return 0;
}
