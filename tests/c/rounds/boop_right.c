//@ property: all verdict: safe
//@ bounds: unwind 2 rounds 2
// boop.c repaired: the user counts itself before it asks whether the driver is being stopped.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int users = 2, stopping, unused, stopped;

static void leave(void)
{
    if (atomic_fetch_sub(&users, 1) == 1)
        unused = 1;
}

static void *use(void *arg)
{
    for (;;) {
        assert(!stopped);
        leave();
        users++;
        if (stopping) {
            leave();
            return arg;
        }
    }
}

static void *stop(void *arg)
{
    stopping = 1;
    leave();
    while (!unused)
        ;
    stopped = 1;
    return arg;
}

int main(void)
{
    pthread_t user, stopper;
    pthread_create(&user, 0, use, 0);
    pthread_create(&stopper, 0, stop, 0);
    pthread_join(user, 0);
    pthread_join(stopper, 0);
    return 0;
}

//@ known: order all unknown(loop-bound)
