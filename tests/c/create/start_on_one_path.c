//@ property: assertion verdict: safe
//@ property: deadlock,lock-misuse,memory verdict: safe
// On one path a thread is started, on the other a variable gets its value: each path has its own past.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value;
_Bool __VERIFIER_nondet_bool(void);

static void *add(void *arg)
{
    value += 10;
    return arg;
}

int main(void)
{
    _Bool start = __VERIFIER_nondet_bool();
    pthread_t thread;
    if (!start) {
        value = 2;
        goto both;
    }
    value = 1;
    pthread_create(&thread, 0, add, 0);
both:;
    int seen = value;
    assert(start ? seen == 1 || seen == 11 : seen == 2);
    return 0;
}
