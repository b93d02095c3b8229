//@ property: assertion verdict: unsafe line: 22
// A section waits for a new block to have the address of one that was freed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int *_Atomic shared;

static void *work(void *arg)
{
    int *old = shared;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(shared == 0);
    int *new = malloc(sizeof *new);

    /* The address of a block that others have freed may be given again. */
    __VERIFIER_assume(new == old);
    __VERIFIER_atomic_end();
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, 0, work, 0);
    int *old = shared;
    shared = 0;
    free(old);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order assertion unknown(addresses)
