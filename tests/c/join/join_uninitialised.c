//@ property: thread-misuse verdict: unsafe line: 23
// A handle that is set on one path only. On the other its bits may be those of any handle, even of the running thread's.
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
    // Nobody waits for the thread if it is 'u'.
    pthread_join(t, 0);
    return y;
}
