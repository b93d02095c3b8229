//@ property: deadlock verdict: unsafe
// A reader that waits for itself is stuck, even if the others go on.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *arg)
{
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, upgrade, 0);
    return 0;
}
