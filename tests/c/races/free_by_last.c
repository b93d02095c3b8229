//@ property: all verdict: safe
//@ run: gcc
// The last of two users, by an atomic count, frees the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *block;

static void *use(void *unused)
{
    int seen = *block;
    int last = atomic_fetch_sub(&users, 1) == 1;
    if (last)
        free(block);
    return seen == 7 ? &users : unused;
}

int main(void)
{
    pthread_t thread;
    block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, use, 0);
    use(0);
    pthread_join(thread, 0);
    return 0;
}
