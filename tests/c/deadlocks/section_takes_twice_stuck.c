//@ property: deadlock verdict: unsafe
// In one step the lock is taken twice: the second time it waits for itself.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
