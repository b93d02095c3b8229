//@ property: all verdict: safe
// Two indices that nobody knows, but never equal.
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
    second = 1 - first;
    pthread_create(&thread, 0, work, 0);
    cell[second] = 2;
    pthread_join(thread, 0);
    return 0;
}
