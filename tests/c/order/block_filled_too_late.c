//@ property: assertion verdict: unsafe
// A block is told of before it is filled.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *make(void *arg)
{
    int *block = malloc(sizeof *block);
    shared = block;
    *block = 7;
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
