//@ property: assertion verdict: unsafe
// Who reads before the write finds what was there at first.
#include <assert.h>
#include <pthread.h>

static _Atomic int x = 5;

static void *write(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, write, 0);
    assert(x < 4);
    pthread_join(a, 0);
    return 0;
}
