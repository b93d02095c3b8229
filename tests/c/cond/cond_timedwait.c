//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: pthread_cond_timedwait pthread_cond_clockwait
// A wait that nobody ends times out, and holds the mutex again then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec time = {.tv_sec = 1};
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &time) == ETIMEDOUT);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
    time.tv_nsec = 1000000000;
    assert(pthread_cond_timedwait(&c, &m, &time) == EINVAL);
    pthread_mutex_unlock(&m);
    return 0;
}
