//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_rwlock_tryrdlock pthread_rwlock_trywrlock
// Trying never waits; readers do not keep readers out.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *while_read(void *arg) {
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return 0;
}

static void *while_written(void *arg) {
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    return 0;
}

static void run(void *(*routine)(void *)) {
    pthread_t t;
    pthread_create(&t, 0, routine, 0);
    pthread_join(t, 0);
}

int main(void) {
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    run(while_read);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_trywrlock(&l) == 0);
    run(while_written);
    pthread_rwlock_unlock(&l);
    return 0;
}
