//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: __pthread_rwlock_init __pthread_rwlock_destroy __pthread_rwlock_unlock __pthread_rwlock_rdlock
//@ model: __pthread_rwlock_tryrdlock __pthread_rwlock_wrlock __pthread_rwlock_trywrlock
// Names that old preprocessed files contain.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int __pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a);
int __pthread_rwlock_destroy(pthread_rwlock_t *l);
int __pthread_rwlock_unlock(pthread_rwlock_t *l);
int __pthread_rwlock_rdlock(pthread_rwlock_t *l);
int __pthread_rwlock_tryrdlock(pthread_rwlock_t *l);
int __pthread_rwlock_wrlock(pthread_rwlock_t *l);
int __pthread_rwlock_trywrlock(pthread_rwlock_t *l);

int main(void) {
    pthread_rwlock_t l;
    assert(__pthread_rwlock_init(&l, 0) == 0);
    assert(__pthread_rwlock_rdlock(&l) == 0);
    assert(__pthread_rwlock_tryrdlock(&l) == 0);
    assert(__pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(__pthread_rwlock_unlock(&l) == 0);
    assert(__pthread_rwlock_unlock(&l) == 0);
    assert(__pthread_rwlock_wrlock(&l) == 0);
    assert(__pthread_rwlock_unlock(&l) == 0);
    assert(__pthread_rwlock_destroy(&l) == 0);
    return 0;
}
