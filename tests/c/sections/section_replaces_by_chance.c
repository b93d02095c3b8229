//@ property: assertion verdict: unsafe line: 28
// A section writes twice, the second time perhaps: others see the first then.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static _Atomic int wanted, value;

static void *work(void *arg)
{
    __VERIFIER_atomic_begin();
    value = 1;
    if (wanted)
        value = 2;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    wanted = 1;
    int seen = value;
    pthread_join(thread, 0);
    assert(seen != 1);
    return 0;
}
