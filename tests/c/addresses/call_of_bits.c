//@ property: assertion verdict: unsafe line: 37
// Which function is called depends on bits of an address.
#include <assert.h>
#include <pthread.h>

static int called;

static void one(void)
{
    called = 1;
}

static void two(void)
{
    called = 2;
}

static void three(void)
{
    called = 3;
}

static void (*const all[])(void) = {one, two, three};

static void *work(void *unused)
{
    all[0]();
    ((void (*)(void))((long)all[2] & ~0xffffL))();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(called == 3);
    return 0;
}

//@ known: order assertion unknown(addresses)
