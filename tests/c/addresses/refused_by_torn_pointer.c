//@ property: assertion verdict: unsafe
// Whether a section is entered depends on a pointer that is only a part of an address.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int object;
static void *_Atomic shared;

static void *work(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(shared != 0);
    __VERIFIER_atomic_end();
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    *(long *)&shared = (long)&object & 0xff0;
    pthread_create(&thread, 0, work, 0);
    shared = 0;
    pthread_join(thread, 0);
    return 0;
}

//@ known: order assertion unknown(addresses)
