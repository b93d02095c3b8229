//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A block is freed when all who use it have been joined.
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
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    free(block);
    return 0;
}
