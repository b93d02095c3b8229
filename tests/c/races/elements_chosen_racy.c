//@ property: data-race verdict: unsafe line: 12
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two indices that nobody knows may be equal. Lines 12 and 22 race.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static int cell[2], first, second;

static void *work(void *unused)
{
    cell[first] = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    first = __VERIFIER_nondet_bool();
    second = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, work, 0);
    cell[second] = 2;
    pthread_join(thread, 0);
    return 0;
}
