//@ property: assertion,data-race verdict: safe
// Nobody gets in between: in an atomic section, in a section of a lock that all who write hold, and when the others
// have been joined.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int atomic;
static int guarded;

static void *work(void *arg)
{
    int a, b;
    __VERIFIER_atomic_begin();
    a = atomic;
    b = atomic;
    atomic = a + 1;
    assert(atomic == b + 1);
    __VERIFIER_atomic_end();
    pthread_mutex_lock(&mutex);
    a = guarded;
    if (a)
        guarded = 7;
    b = guarded;
    assert(b == (a ? 7 : 0));
    guarded = 3;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    int a = guarded, b = guarded;
    assert(a == b && a == 3 && atomic == 2);
    return 0;
}
