//@ property: assertion verdict: unsafe line: 21
// The same with the old address read after the new block was allocated.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *frees(void *arg)
{
    free(shared);
    return arg;
}

int main(void)
{
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, 0, frees, 0);
    int *second = malloc(sizeof *second);
    assert(second != shared);
    pthread_join(thread, 0);
    free(second);
    return 0;
}

//@ known: order assertion unknown(addresses)
