//@ property: assertion verdict: unsafe
//@ property: data-race verdict: unsafe
// What was read before the others went on counts later, too.
#include <assert.h>
#include <pthread.h>

static int y, z, x;

static void *reader(void *arg)
{
    int r = y;
    int w = z;
    x = w - r;
    return arg;
}

static void *writer(void *arg)
{
    y = 5;
    z = 100;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x < 100);
    return 0;
}
