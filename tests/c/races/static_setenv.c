//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ property: memory-cleanup verdict: unsafe
//@ model: setenv getenv
// The environment changes while it is looked at.
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused)
{
    (void)unused;
    setenv("A", "1", 1);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    getenv("A");
    pthread_join(a, 0);
    return 0;
}

//@ known: order memory-leak unknown(may-be-lost)
