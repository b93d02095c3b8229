//@ property: lock-misuse verdict: unsafe line: 12
//@ property: data-race verdict: safe
// A thread gives back the write lock of another.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic int held;

static void *meddle(void *arg)
{
    if (held)
        pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, meddle, 0);
    pthread_rwlock_wrlock(&lock);
    held = 1;
    held = 0;
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
