//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: pthread_mutex_timedlock pthread_mutex_clocklock
// A timed lock gives up; it takes a free mutex whatever the time is.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec past = {.tv_sec = 1};

static void *other(void *arg) {
    static const struct timespec wrong = {.tv_sec = 1, .tv_nsec = -1};
    assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&m, &wrong) == EINVAL);
    assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_mutex_timedlock(&m, &past) == 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_clocklock(&m, CLOCK_REALTIME, &past) == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
