//@ property: deadlock verdict: safe
// The flag is set in a section that is never left: nobody takes a lock after it.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);

static _Atomic int flag;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *arg)
{
    __VERIFIER_assume(flag);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    return arg;
}
static void *back(void *arg)
{
    __VERIFIER_assume(flag);
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, forth, 0);
    pthread_create(&b, 0, back, 0);
    __VERIFIER_atomic_begin();
    flag = 1;
    exit(0);
}
