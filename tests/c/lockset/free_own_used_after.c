//@ property: use-after-free verdict: unsafe line: 11
// Each of any number of threads frees a block of its own before it uses it for the last time.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused)
{
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    free(mine);
    return *mine ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
