//@ property: deadlock verdict: safe
// Whether the section waits for a lock depends on a choice: it can be entered with the other.
#include <pthread.h>
#include <stdbool.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *chooser(void *arg)
{
    pthread_mutex_lock(&b);
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_bool()) {
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
