//@ property: assertion verdict: unsafe
//@ property: data-race verdict: unsafe
// A thread that has been started may run at once.
#include <assert.h>
#include <pthread.h>

static int x;

static void *reader(void *arg)
{
    assert(x > 3);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    x = 7;
    pthread_join(a, 0);
    return 0;
}
