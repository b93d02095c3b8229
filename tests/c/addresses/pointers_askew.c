//@ unsupported: 23 control depends on addresses
// The same at a place that is computed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int object;
static void *table[4];
static atomic_int place;

static void *work(void *arg)
{
    table[place & 3] = &object;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    place = 4;
    void *half = (pthread_join(thread, 0), *(void **)((char *)table + (place & 7)));
    assert(!half);
    return 0;
}
