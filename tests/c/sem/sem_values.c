//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: sem_trywait sem_timedwait sem_clockwait sem_getvalue
// Counting, and what is refused.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    struct timespec time = {.tv_sec = 1};
    sem_t s;
    int value;
    assert(sem_init(&s, 0, 2) == 0);
    assert(sem_trywait(&s) == 0 && sem_timedwait(&s, &time) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&s, &time) == -1 && errno == ETIMEDOUT);
    assert(sem_clockwait(&s, CLOCK_MONOTONIC, &time) == -1 && errno == ETIMEDOUT);
    time.tv_nsec = -1;
    assert(sem_timedwait(&s, &time) == -1 && errno == EINVAL);
    assert(sem_post(&s) == 0 && sem_getvalue(&s, &value) == 0 && value == 1);
    assert(sem_destroy(&s) == 0);
    assert(sem_init(&s, 0, INT_MAX) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    assert(sem_init(&s, 0, 1u + INT_MAX) == -1 && errno == EINVAL);
    return 0;
}
