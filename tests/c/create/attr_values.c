//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_attr_setstacksize pthread_attr_getstacksize pthread_attr_setguardsize
//@ model: pthread_attr_getguardsize pthread_attr_setscope pthread_attr_getscope
//@ model: pthread_attr_setinheritsched pthread_attr_getinheritsched pthread_attr_setschedpolicy
//@ model: pthread_attr_getschedpolicy pthread_attr_setschedparam pthread_attr_getschedparam
// Attributes are kept.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static void *work(void *arg) {
    return arg;
}

int main(void) {
    pthread_attr_t attr;
    struct sched_param param = {.sched_priority = 0};
    pthread_t t;
    size_t size;
    int value;
    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setstacksize(&attr, 1 << 20) == 0);
    assert(pthread_attr_setstacksize(&attr, 1) == EINVAL);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 20);
    assert(pthread_attr_getguardsize(&attr, &size) == 0 && size == 4096);
    assert(pthread_attr_setguardsize(&attr, 8192) == 0);
    assert(pthread_attr_getguardsize(&attr, &size) == 0 && size == 8192);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM) == 0);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_getscope(&attr, &value) == 0 && value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&attr, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setschedpolicy(&attr, SCHED_OTHER) == 0);
    assert(pthread_attr_setschedpolicy(&attr, 77) == EINVAL);
    assert(pthread_attr_getschedpolicy(&attr, &value) == 0 && value == SCHED_OTHER);
    assert(pthread_attr_setschedparam(&attr, &param) == 0);
    param.sched_priority = 9;
    assert(pthread_attr_setschedparam(&attr, &param) == EINVAL);
    assert(pthread_attr_getschedparam(&attr, &param) == 0 && param.sched_priority == 0);
    assert(pthread_create(&t, &attr, work, 0) == 0);
    assert(pthread_join(t, 0) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    return 0;
}
