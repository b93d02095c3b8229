//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: tmpnam
// Without a buffer, tmpnam uses one for all threads.
#include <pthread.h>
#include <stdio.h>

static void *other(void *unused)
{
    (void)unused;
    tmpnam(NULL);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    tmpnam(NULL);
    pthread_join(a, 0);
    return 0;
}

//@ known: explicit memory,misuse,assertion,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
