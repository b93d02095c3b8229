//@ property: all verdict: safe
//@ run: gcc
//@ flags: -D_GNU_SOURCE
//@ model: pthread_setconcurrency pthread_getconcurrency pthread_setname_np pthread_atfork
// Functions that ask for little.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void never(void) {
    assert(0);
}

int main(void) {
    assert(pthread_getconcurrency() == 0);
    assert(pthread_setconcurrency(3) == 0);
    assert(pthread_getconcurrency() == 3);
    assert(pthread_setconcurrency(-1) == EINVAL);
    assert(pthread_setname_np(pthread_self(), "short") == 0);
    assert(pthread_setname_np(pthread_self(), "much longer than allowed") == ERANGE);
    assert(pthread_atfork(never, never, never) == 0);
    return 0;
}
