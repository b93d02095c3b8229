//@ property: deadlock verdict: unsafe
// A section that waits for a thread it has started itself is never entered.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void *child(void *arg)
{
    return arg;
}

static void *parent(void *arg)
{
    pthread_t thread;
    __VERIFIER_atomic_begin();
    pthread_create(&thread, 0, child, 0);
    pthread_join(thread, 0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, parent, 0);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
