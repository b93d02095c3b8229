//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: thrd_detach thrd_yield thrd_sleep
// Detached, yielding, sleeping.
#include <assert.h>
#include <threads.h>

static int work(void *arg) {
    thrd_yield();
    return 0;
}

int main(void) {
    struct timespec moment = {.tv_nsec = 1};
    thrd_t t;
    thrd_create(&t, work, 0);
    assert(thrd_detach(t) == thrd_success);
    assert(thrd_sleep(&moment, 0) == 0);
    moment.tv_nsec = -1;
    assert(thrd_sleep(&moment, 0) < 0);
    thrd_exit(0);
}
