//@ property: assertion,data-race,deadlock,lock-misuse verdict: safe
// A thread may hold the lock for reading twice: it is free for writing when both are given back.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *change(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    value = 1;
    value = 2;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    int a = value;
    pthread_rwlock_unlock(&lock);
    int b = value;
    pthread_rwlock_unlock(&lock);
    assert(a == b && a != 1);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(value != 1);
    pthread_rwlock_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
