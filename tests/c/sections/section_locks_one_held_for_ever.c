//@ property: deadlock verdict: unsafe
// The chooser may end with two locks, and then others wait for them for ever; if it comes too late, it
// waits for one of two owners, of whom one waits for it and the other goes on for ever.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

static void *spinner(void *arg)
{
    pthread_mutex_lock(&second);
    for (;;)
        ;
    return arg;
}

static void *chooser(void *arg)
{
    pthread_mutex_lock(&own);
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(__VERIFIER_nondet_bool() ? &first : &second);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&first);
    pthread_create(&thread, 0, spinner, 0);
    pthread_create(&thread, 0, chooser, 0);
    pthread_mutex_lock(&own);
    for (;;)
        ;
}
