//@ property: data-race verdict: unsafe
//@ property: use-after-free verdict: unsafe
// realloc frees the old block.
#include <pthread.h>
#include <stdlib.h>

static char *block;

static void *grower(void *arg)
{
    free(realloc(block, 100));
    return arg;
}

int main(void)
{
    pthread_t thread;
    block = calloc(8, 1);
    pthread_create(&thread, 0, grower, 0);
    char first = block[0];
    pthread_join(thread, 0);
    return first;
}

//@ known: order all unknown(unsupported)
