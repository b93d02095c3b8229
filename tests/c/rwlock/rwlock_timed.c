//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_clockrdlock
//@ model: pthread_rwlock_clockwrlock
// Timed waits give up; a writer who waits for itself is told so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec past = {.tv_sec = 1};

static void *other(void *arg) {
    assert(pthread_rwlock_timedrdlock(&l, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&l, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_rwlock_timedrdlock(&l, &past) == 0);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_timedwrlock(&l, &past) == 0);
    assert(pthread_rwlock_rdlock(&l) == EDEADLK);
    assert(pthread_rwlock_wrlock(&l) == EDEADLK);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    return 0;
}
