//@ unsupported: 12 not every value was tried
// A number that another thread stores is compared with an address: it may be that one.
#include <assert.h>
#include <pthread.h>
long __VERIFIER_nondet_long(void);

static int object;
static void *_Atomic shared;

static void *work(void *arg)
{
    shared = (void *)__VERIFIER_nondet_long();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    assert(shared != &object);
    pthread_join(thread, 0);
    return 0;
}
