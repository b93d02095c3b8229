//@ property: assertion verdict: unsafe
//@ property: data-race verdict: unsafe
// The join may be left out: then the first thread still runs when the last one has been started.
#include <assert.h>
#include <pthread.h>

static int chosen, x, z;

static void *first(void *arg)
{
    int r = z;
    assert(r != 5);
    return arg;
}

static void *last(void *arg)
{
    int q = x;
    z = 5;
    (void)q;
    return arg;
}

static void *choose(void *arg)
{
    chosen = 1;
    return arg;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, choose, 0);
    pthread_create(&b, 0, first, 0);
    if (chosen) {
        pthread_join(b, 0);
        x = 1;
    }
    pthread_create(&c, 0, last, 0);
    return 0;
}
