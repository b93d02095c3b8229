//@ property: deadlock verdict: unsafe line: 16
// Whatever it chooses in each round, the loop does not end.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);
static atomic_int flag, other;

static void *poll_both(void *arg)
{
    for (;;) {
        atomic_int *which = &flag;
        if (__VERIFIER_nondet_bool())
            which = &other;
        if (atomic_load(which))
            break;
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, poll_both, 0);
    pthread_join(thread, 0);
    return 0;
}
