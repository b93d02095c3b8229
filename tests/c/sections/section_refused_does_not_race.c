//@ property: all verdict: safe
// What a section does before its assumption fails never happened: it does not race either.
#include <pthread.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

static int shared;

static void *write(void *arg) {
    shared = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    __VERIFIER_atomic_begin();
    shared = 2;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return 0;
}
