//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// A thread-local variable is shared with whom one gives its address.
#include <pthread.h>

static __thread int own;

static void *work(void *arg) {
    ++*(int *)arg;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, &own);
    own++;
    pthread_join(t, 0);
    return 0;
}
