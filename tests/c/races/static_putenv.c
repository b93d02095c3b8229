//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: putenv
// The environment is changed by two threads.
#include <pthread.h>
#include <stdlib.h>

static char mine[] = "A=1", yours[] = "B=2";

static void *other(void *unused)
{
    (void)unused;
    putenv(yours);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    putenv(mine);
    pthread_join(a, 0);
    return 0;
}
