//@ property: assertion verdict: unsafe line: 19
// The result of a thread is made of some bits of an address.
#include <assert.h>
#include <pthread.h>

static int object[16];

static void *work(void *unused)
{
    return (void *)(((long)object >> 4) & 0xff);
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    assert(!result);
    return 0;
}

//@ known: order assertion unknown(addresses)
