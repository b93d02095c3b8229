//@ property: deadlock verdict: unsafe
// The section sees what it has written itself, and takes a lock because of it.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int flag;

static void *back(void *arg)
{
    pthread_mutex_lock(&second);
    flag = 0;
    __VERIFIER_atomic_begin();
    flag = 1;
    if (flag)
        pthread_mutex_lock(&first);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, back, 0);
    flag = 0;
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
