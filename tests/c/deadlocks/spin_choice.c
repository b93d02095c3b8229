//@ property: deadlock verdict: safe
// The thread may choose to give up.
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);
static atomic_int flag;

static void *poll_flag(void *arg)
{
    while (!atomic_load(&flag))
        if (__VERIFIER_nondet_bool())
            break;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, poll_flag, 0);
    pthread_join(thread, 0);
    return 0;
}
