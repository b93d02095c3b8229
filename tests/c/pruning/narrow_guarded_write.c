//@ property: assertion verdict: unsafe
//@ property: data-race verdict: unsafe
// The write may not happen: afterwards both values are possible.
#include <assert.h>
#include <pthread.h>

static int chosen, x = 100;

static void *choose(void *arg)
{
    chosen = 1;
    return arg;
}

static void *write(void *arg)
{
    if (chosen)
        x = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, choose, 0);
    pthread_create(&b, 0, write, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x < 2);
    return 0;
}
