//@ unsupported: 8 asynchronous cancellation
// Cancellation at any instruction is not modelled.
#include <pthread.h>

static void *work(void *arg) {
    int old;
    pthread_t self = pthread_self();
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, 0);
    return 0;
}
