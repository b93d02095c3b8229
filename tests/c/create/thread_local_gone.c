//@ property: use-after-free verdict: unsafe line: 19
// A thread's variables die with it.
#include <pthread.h>

static __thread int own;

static void *work(void *arg) {
    own = 1;
    return &own;
}

int main(void) {
    pthread_t t;
    void *address = 0;
    int seen;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &address);
    int *p = address;
    seen = *p;
    return seen & 0;
}
