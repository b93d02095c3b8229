//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: sleep usleep nanosleep clock_nanosleep sched_yield pthread_yield
// They return; wrong times are refused.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec moment = {.tv_nsec = 1}, wrong = {.tv_nsec = -1};
    assert(sleep(0) == 0);
    assert(usleep(1) == 0);
    assert(nanosleep(&moment, 0) == 0);
    assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, 0) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, 0) == EINVAL);
    assert(sched_yield() == 0);
    return 0;
}
