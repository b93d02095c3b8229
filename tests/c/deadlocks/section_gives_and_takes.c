//@ property: deadlock verdict: safe
// In one step the lock is given back and taken again: nobody waits for what he holds himself.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_begin();
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
