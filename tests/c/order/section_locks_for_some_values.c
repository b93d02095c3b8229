//@ property: deadlock verdict: safe
// The section waits for the lock with small values only; with another it is entered, so nobody is stuck.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *chooser(void *arg)
{
    pthread_mutex_lock(&b);
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_uint() + 1 < 1000) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, chooser, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
//@ known: explicit deadlock unknown(cut)
//@ known: portfolio deadlock unknown(unsupported)
