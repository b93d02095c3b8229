//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
// The kind of a mutex can come from its static initialiser.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t a = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    assert(pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_lock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == 0);
    assert(pthread_mutex_unlock(&r) == EPERM);
    assert(pthread_mutex_lock(&e) == 0);
    assert(pthread_mutex_lock(&e) == EDEADLK);
    assert(pthread_mutex_unlock(&e) == 0);
    assert(pthread_mutex_lock(&a) == 0);
    assert(pthread_mutex_trylock(&a) == EBUSY);
    assert(pthread_mutex_unlock(&a) == 0);
    return 0;
}
