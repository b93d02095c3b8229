//@ property: assertion verdict: unsafe line: 20
// Whether an address is larger than some number that is not small depends on where the object lies.
#include <assert.h>
#include <pthread.h>

static int object;
static void *shared;

static void *work(void *unused)
{
    shared = &object;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert((unsigned long)shared > 0x7fffffffffUL);
    return 0;
}

//@ known: order assertion unknown(addresses)
