//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: srand48 lrand48
// The family of drand48 has a state without a lock.
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused)
{
    (void)unused;
    srand48(1);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    lrand48();
    pthread_join(a, 0);
    return 0;
}

//@ known: explicit memory,misuse,assertion,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(cut)
