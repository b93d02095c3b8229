//@ property: assertion verdict: unsafe line: 24
// A freed block's address, kept in shared memory, may be that of a new block.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *clear(void *unused)
{
    (void)unused;
    shared = 0;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, clear, 0);
    int *old = malloc(sizeof *old);
    free(old);
    shared = old;
    int *new = malloc(sizeof *new);
    assert(shared != new);
    return 0;
}

//@ known: order assertion unknown(addresses)
