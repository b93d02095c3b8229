//@ property: use-after-free verdict: unsafe line: 11
//@ property: data-race verdict: unsafe
// A block is freed when the first of two who use it has been joined.
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *worker(void *unused)
{
    return *block ? unused : 0;
}

int main(void)
{
    pthread_t t[2];
    block = malloc(sizeof *block);
    *block = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_join(t[0], 0);
    free(block);
    pthread_join(t[1], 0);
    return 0;
}
