//@ property: assertion verdict: unsafe line: 21
// Two ways lead to the read, and only one of them wrote before.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static _Atomic int wanted, allowed, value;

static void *work(void *arg)
{
    if (wanted) {
        value = 1;
        __VERIFIER_assume(allowed);
    } else {
        __VERIFIER_assume(!allowed);
    }
    if (!arg)
        return 0;
    int seen = value;
    assert(seen == 1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    static int some;
    pthread_create(&thread, 0, work, &some);
    wanted = 1;
    allowed = 1;
    value = 1;
    pthread_join(thread, 0);
    return 0;
}
