//@ property: deadlock verdict: unsafe
// The same where nobody else has been started yet.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void *child(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t thread;
    __VERIFIER_atomic_begin();
    pthread_create(&thread, 0, child, 0);
    pthread_join(thread, 0);
    __VERIFIER_atomic_end();
    return 0;
}

//@ known: order deadlock unknown(unsupported)
