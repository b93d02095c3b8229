//@ property: assertion verdict: unsafe
// Whether a section is entered depends on some bits of a pointer that others set.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int object;
static int *_Atomic shared;

static void *work(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(((long)shared >> 4 & 0xff) != 0);
    __VERIFIER_atomic_end();
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared = &object;
    pthread_join(thread, 0);
    return 0;
}

//@ known: order assertion unknown(addresses)
