//@ unsupported: 14 control depends on addresses
// A section waits for an address to be above another: it may be refused or not.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int one, other;

static void *work(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(arg > (void *)&other);
    __VERIFIER_atomic_end();
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, &one);
    return 0;
}
