//@ property: all verdict: safe
//@ property: data-race verdict: unsafe line: 15
//@ bounds: unwind 1 rounds 1 in reverse
// The write to 'x' may be the first step that others see of the thread: then the thread needs no turn to stand before it.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static int x, z;

static void *thread(void *arg) {
    if (__VERIFIER_nondet_bool()) {
        z = 1;
    }
    x = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    x = 2;
    pthread_join(t, 0);
    return z > 1;
}
