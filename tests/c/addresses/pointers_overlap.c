//@ property: assertion verdict: unsafe
// A pointer is read four bytes before one that another thread wrote: half of it is read.
#include <assert.h>
#include <pthread.h>

static char buffer[24];
static int object;

static void *work(void *arg)
{
    *(void **)(buffer + 4) = &object;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    void *half = *(void **)buffer;
    assert(!half);
    return 0;
}

//@ known: order assertion unknown(addresses)
