//@ property: deadlock verdict: unsafe
// The section waits for one of two locks whatever value it gets, and both are held by whom the other waits for.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

static void *chooser(void *arg)
{
    pthread_mutex_lock(&b);
    __VERIFIER_atomic_begin();
    pthread_mutex_t *either = __VERIFIER_nondet_uchar() < 100 ? &a : &c;
    pthread_mutex_lock(either);
    pthread_mutex_unlock(either);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, chooser, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&a);
    pthread_join(thread, 0);
    return 0;
}
