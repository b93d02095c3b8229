//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_barrierattr_init pthread_barrierattr_destroy pthread_barrierattr_setpshared
//@ model: pthread_barrierattr_getpshared
// A barrier for nobody is refused; one for one thread does not wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_barrierattr_t attr;
    pthread_barrier_t barrier;
    int shared;
    assert(pthread_barrierattr_init(&attr) == 0);
    assert(pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_getpshared(&attr, &shared) == 0 && shared == PTHREAD_PROCESS_SHARED);
    assert(pthread_barrier_init(&barrier, &attr, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, &attr, 1) == 0);
    assert(pthread_barrierattr_destroy(&attr) == 0);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
