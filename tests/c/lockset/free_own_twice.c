//@ property: invalid-free verdict: unsafe line: 11
// Each of any number of threads frees a block of its own twice.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused)
{
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    free(mine);
    free(mine);
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
