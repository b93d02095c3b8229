//@ property: deadlock verdict: unsafe
// A section that takes one of two locks, by choice: the owner of both waits for the thread, and another
// thread goes on for ever.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void *chooser(void *arg)
{
    pthread_mutex_lock(&own);
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(__VERIFIER_nondet_bool() ? &first : &second);
    __VERIFIER_atomic_end();
    return arg;
}

static void *spinner(void *arg)
{
    for (;;)
        ;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_create(&a, 0, chooser, 0);
    pthread_create(&b, 0, spinner, 0);
    pthread_mutex_lock(&own);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
