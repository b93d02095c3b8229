//@ property: assertion verdict: unsafe line: 24
// A block from calloc is zero, one from malloc is anything: two states, not one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *setter(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    int *block;
    pthread_create(&thread, 0, setter, 0);
    block = flag ? malloc(sizeof *block) : calloc(1, sizeof *block);
    pthread_join(thread, 0);
    if (block)
        assert(*block == 0);
    free(block);
    return 0;
}
