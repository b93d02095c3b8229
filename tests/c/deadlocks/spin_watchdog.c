//@ property: deadlock,assertion verdict: safe
// A thread that watches an invariant for ever waits for nothing: a failing assertion is not a way out of its loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance;

static void *watch(void *arg)
{
    for (;;)
        assert(balance >= 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    balance = 1;
    pthread_exit(0);
}
