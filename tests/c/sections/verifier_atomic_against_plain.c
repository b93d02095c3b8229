//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// A section against a plain access is a race.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 5;
    pthread_join(t, 0);
    return 0;
}
