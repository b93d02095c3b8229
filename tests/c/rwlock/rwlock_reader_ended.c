//@ property: deadlock verdict: unsafe
// The reader has ended without unlocking: the writer waits for ever.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&l);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&l);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, writer, 0);
    return 0;
}
