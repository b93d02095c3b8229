//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: __pthread_mutex_init __pthread_mutex_destroy __pthread_mutex_lock __pthread_mutex_trylock
//@ model: __pthread_mutex_unlock __pthread_mutexattr_init __pthread_mutexattr_destroy
//@ model: __pthread_mutexattr_settype
// Names that old preprocessed files contain.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int __pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a);
int __pthread_mutex_destroy(pthread_mutex_t *m);
int __pthread_mutex_lock(pthread_mutex_t *m);
int __pthread_mutex_trylock(pthread_mutex_t *m);
int __pthread_mutex_unlock(pthread_mutex_t *m);
int __pthread_mutexattr_init(pthread_mutexattr_t *a);
int __pthread_mutexattr_destroy(pthread_mutexattr_t *a);
int __pthread_mutexattr_settype(pthread_mutexattr_t *a, int type);

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutex_t m;
    __pthread_mutexattr_init(&attr);
    __pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    __pthread_mutex_init(&m, &attr);
    __pthread_mutexattr_destroy(&attr);
    assert(__pthread_mutex_lock(&m) == 0);
    assert(__pthread_mutex_lock(&m) == EDEADLK);
    assert(__pthread_mutex_trylock(&m) == EBUSY);
    assert(__pthread_mutex_unlock(&m) == 0);
    assert(__pthread_mutex_destroy(&m) == 0);
    return 0;
}
