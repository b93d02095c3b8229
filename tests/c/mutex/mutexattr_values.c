//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_mutexattr_setpshared pthread_mutexattr_getpshared pthread_mutexattr_setprotocol
//@ model: pthread_mutexattr_getprotocol pthread_mutexattr_getrobust
// Attributes are kept, and do not disturb each other.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attr;
    int value;
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_setpshared(&attr, 9) == EINVAL);
    assert(pthread_mutexattr_getprotocol(&attr, &value) == 0 && value == PTHREAD_PRIO_NONE);
    assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_setprotocol(&attr, 9) == EINVAL);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutexattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_getprotocol(&attr, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_gettype(&attr, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_getrobust(&attr, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
    pthread_mutexattr_destroy(&attr);
    return 0;
}
