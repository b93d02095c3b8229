//@ property: assertion verdict: unsafe line: 20
// A pointer made of some bits of an address goes through shared memory: where objects lie decides whether it is null.
#include <assert.h>
#include <pthread.h>

static int object;
static void *_Atomic shared;

static void *work(void *unused)
{
    shared = (void *)((long)&object & 0xff8);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(!shared);
    return 0;
}

//@ known: order assertion unknown(addresses)
