//@ property: thread-misuse verdict: unsafe line: 24
//@ property: data-race verdict: unsafe
// A handle that is set on one path only. On the other its bits may be those of any handle: of the running thread's own,
// which is an error and no wait, so that `main` reads while the other thread writes.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int y;

static void *write(void *arg)
{
    y = 1;
    return arg;
}

int main(void)
{
    pthread_t t, u;
    if (__VERIFIER_nondet_bool())
        pthread_create(&t, 0, write, 0);
    else
        pthread_create(&u, 0, write, 0);
    pthread_join(t, 0);
    return y;
}

//@ known: order data-race unknown(addresses)
//@ known: explicit data-race unknown(unsupported)
//@ known: portfolio data-race unknown(addresses)
//@ known: seq data-race unknown(unsupported)
