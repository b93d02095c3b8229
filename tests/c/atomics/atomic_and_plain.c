//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Both sides must be atomic.
#include <pthread.h>

static int x;

static void *write(void *arg) {
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, 0);
    int seen = x;
    pthread_join(t, 0);
    return seen & 0;
}
