//@ unsupported: 23 control depends on addresses
// Which function a section calls depends on bits of an address; one of them refuses it.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static void refuse(void)
{
    __VERIFIER_assume(0);
}

static void go_on(void) {}

static void (*_Atomic calls[2])(void) = {refuse, go_on};
static long index;
static int object;

static void *work(void *arg)
{
    __VERIFIER_atomic_begin();
    calls[index]();
    __VERIFIER_atomic_end();
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    index = ((long)&object >> 4) & 1;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    index = 0;
    return 0;
}
