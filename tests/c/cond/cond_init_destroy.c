//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_cond_init pthread_cond_destroy pthread_condattr_init pthread_condattr_destroy
//@ model: pthread_condattr_setclock pthread_condattr_getclock pthread_condattr_setpshared
//@ model: pthread_condattr_getpshared
// A condition variable may be destroyed, and its memory freed, as soon as its waiters were woken.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;
static int waiting, go;

static void *wait(void *arg) {
    pthread_mutex_lock(&m);
    if (!go) {
        waiting = 1;
        pthread_cond_wait(c, &m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_condattr_t attr;
    clockid_t clock;
    pthread_t t;
    int shared;
    c = malloc(sizeof *c);
    pthread_condattr_init(&attr);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_REALTIME);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_setclock(&attr, 77) == EINVAL);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_condattr_getpshared(&attr, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_cond_init(c, &attr) == 0);
    pthread_condattr_destroy(&attr);
    pthread_create(&t, 0, wait, 0);
    pthread_mutex_lock(&m);
    go = 1;
    if (waiting)
        pthread_cond_broadcast(c);
    pthread_cond_destroy(c);
    free(c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
