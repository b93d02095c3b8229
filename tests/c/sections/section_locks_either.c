//@ property: deadlock verdict: safe
// A section that takes one of two locks, by choice, waits for neither owner alone.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void *chooser(void *arg)
{
    pthread_mutex_t *taken;
    pthread_mutex_lock(&own);
    __VERIFIER_atomic_begin();
    taken = __VERIFIER_nondet_bool() ? &first : &second;
    pthread_mutex_lock(taken);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(taken);
    pthread_mutex_unlock(&own);
    return arg;
}

static void *passer(void *arg)
{
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_lock(&first);
    pthread_create(&a, 0, chooser, 0);
    pthread_create(&b, 0, passer, 0);
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    pthread_mutex_unlock(&first);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
