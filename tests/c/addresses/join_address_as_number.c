//@ unsupported: 21 control depends on addresses
// A thread's result is an address, and is looked at as a number.
#include <assert.h>
#include <pthread.h>

static int seen;

static void *same(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;
    int local = 0;
    void *result;
    pthread_create(&thread, 0, same, &local);
    pthread_join(thread, &result);
    int bits = (int)(long)result;
    if (bits & 16)
        seen = 1;
    assert(!local);
    return 0;
}
