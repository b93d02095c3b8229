//@ property: data-race verdict: safe
// The flag is set in a section that is never left: nobody runs after it.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);

static _Atomic int flag;
static int count;

static void *work(void *arg)
{
    __VERIFIER_assume(flag);
    count++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    __VERIFIER_atomic_begin();
    flag = 1;
    exit(0);
}
