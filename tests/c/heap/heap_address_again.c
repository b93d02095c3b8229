//@ property: assertion verdict: unsafe line: 22
// Memory that another thread has freed may be allocated again: its address is that of the new block.
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
    int *first = malloc(sizeof *first);
    shared = first;
    pthread_create(&thread, 0, frees, 0);
    int *second = malloc(sizeof *second);
    assert(second != first);
    pthread_join(thread, 0);
    free(second);
    return 0;
}

//@ known: order assertion unknown(addresses)
