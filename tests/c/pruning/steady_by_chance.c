//@ property: assertion verdict: unsafe line: 20
// What a thread may have written in its section decides what it reads there only if it has.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static _Atomic int wanted, value;

static void *work(void *arg)
{
    int seen;
    __VERIFIER_atomic_begin();
    value = 5;
    if (wanted)
        value = 6;
    seen = value;
    __VERIFIER_atomic_end();
    assert(seen == 6);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    value = 7;
    wanted = 1;
    pthread_join(thread, 0);
    return 0;
}
