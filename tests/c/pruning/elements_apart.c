//@ property: assertion verdict: safe
//@ property: memory verdict: safe
// Two threads write different elements, whose numbers are not known beforehand.
#include <assert.h>
#include <pthread.h>

static int table[4];
static int first, second;
_Bool __VERIFIER_nondet_bool(void);

static void *write_first(void *arg)
{
    table[first] = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    first = __VERIFIER_nondet_bool();
    second = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, write_first, 0);
    if (second != first)
        table[second] = 2;
    pthread_join(thread, 0);
    assert(table[first] == 1);
    return 0;
}
