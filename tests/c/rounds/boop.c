//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 22
//@ bounds: unwind 2 rounds 2
// A driver is stopped when nobody uses it. The user asks whether it is being stopped before it counts itself, so the
// driver may be gone between the two. The first reference of the user is counted by main: only its second use fails.
// boop_simple in table 1 of Inverso et al. (CAV 2014), there with unwind 2 and 2 rounds.
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
        if (stopping)
            return arg;
        users++;
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

//@ known: order memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(loop-bound)
