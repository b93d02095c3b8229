//@ property: out-of-bounds verdict: unsafe
// A thread reads more bytes than a block has, while another one frees it. An access beyond the bounds is no access that could
// race with the end of the block.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    ++*(int *)arg;
    return 0;
}

int main(void)
{
    pthread_t t;
    short *n = calloc(1, sizeof *n);
    if (!n)
        return 0;
    pthread_create(&t, 0, work, n);
    free(n);
    pthread_join(t, 0);
    return 0;
}
