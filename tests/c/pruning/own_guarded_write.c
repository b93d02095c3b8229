//@ property: assertion verdict: unsafe line: 24
//@ property: memory verdict: safe
// A write that may not happen hides nothing: the thread may read what it wrote before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
_Bool __VERIFIER_nondet_bool(void);

static void *other(void *arg)
{
    value = 2;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    value = 1;
    if (__VERIFIER_nondet_bool())
        value = 2;
    assert(value == 2);
    pthread_join(thread, 0);
    return 0;
}
