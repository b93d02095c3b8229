//@ property: use-after-free verdict: unsafe line: 22
// The block is this thread's alone, but it is freed through a pointer that another thread may change.
#include <pthread.h>
#include <stdlib.h>

static int *shared;

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
    int *own = malloc(sizeof *own);
    shared = own;
    free(shared);
    *own = 1;
    return 0;
}
