//@ property: all verdict: safe
//@ run: gcc
//@ model: thrd_create thrd_join thrd_exit thrd_current thrd_equal
// C11 threads end with an int, which may be negative.
#include <assert.h>
#include <threads.h>

static int returns(void *arg) {
    return *(int *)arg - 1;
}

static int exits(void *arg) {
    assert(!thrd_equal(thrd_current(), *(thrd_t *)arg));
    thrd_exit(7);
}

int main(void) {
    thrd_t t, self = thrd_current();
    int zero = 0, result = 5;
    assert(thrd_equal(self, thrd_current()));
    assert(thrd_create(&t, returns, &zero) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success && result == -1);
    thrd_create(&t, exits, &self);
    thrd_join(t, &result);
    assert(result == 7);
    thrd_create(&t, returns, &zero);
    assert(thrd_join(t, 0) == thrd_success);
    return 0;
}
