//@ property: all verdict: safe
//@ property: thread-misuse verdict: unsafe line: 18
//@ run: gcc
// Main is a thread that can be detached, once.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *arg) {
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(pthread_join(t, 0) == 0);
    assert(pthread_detach(pthread_self()) == 0);
    assert(pthread_detach(pthread_self()) == EINVAL);
    return 0;
}
