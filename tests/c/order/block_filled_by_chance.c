//@ property: assertion verdict: unsafe
// A block that is filled under a condition is told of without.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static int *_Atomic shared;

static void *make(void *arg)
{
    int *block = malloc(sizeof *block);
    if (__VERIFIER_nondet_int())
        *block = 7;
    shared = block;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, make, 0);
    int *found = shared;
    if (found)
        assert(*found == 7);
    return 0;
}
