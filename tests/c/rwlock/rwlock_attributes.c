//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: pthread_rwlock_init pthread_rwlock_destroy pthread_rwlockattr_init pthread_rwlockattr_destroy
//@ model: pthread_rwlockattr_setpshared pthread_rwlockattr_getpshared pthread_rwlockattr_setkind_np
//@ model: pthread_rwlockattr_getkind_np
// Attributes are kept.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_rwlockattr_t attr;
    pthread_rwlock_t l;
    int value;
    pthread_rwlockattr_init(&attr);
    assert(pthread_rwlockattr_getkind_np(&attr, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_READER_NP);
    assert(pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
    assert(pthread_rwlockattr_setkind_np(&attr, 9) == EINVAL);
    assert(pthread_rwlockattr_getkind_np(&attr, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_WRITER_NP);
    assert(pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&attr, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlock_init(&l, &attr) == 0);
    pthread_rwlockattr_destroy(&attr);
    assert(pthread_rwlock_wrlock(&l) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_destroy(&l) == 0);
    return 0;
}
