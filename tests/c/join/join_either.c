//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// A handle that is set on each of two paths, by another start.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int y;

static void *one(void *arg)
{
    y = 1;
    return arg;
}

static void *two(void *arg)
{
    y = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    if (__VERIFIER_nondet_bool())
        pthread_create(&t, 0, one, 0);
    else
        pthread_create(&t, 0, two, 0);
    pthread_join(t, 0);
    assert(y == 1 || y == 2);
    return 0;
}
