//@ property: data-race verdict: safe
// The section reads the variable that the other thread writes, but its assumption fails, so it is never entered.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int y;

static void *write_it(void *arg)
{
    y = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, write_it, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(y >= 2);
    __VERIFIER_atomic_end();
    return y;
}
