//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// A writer waits for several readers, one of which waits for another: all of them let go in the end.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&shared);
    pthread_mutex_lock(&m);
    assert(value == 0 || value == 1);
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&shared);
    return arg;
}

static void *writer(void *arg)
{
    pthread_rwlock_wrlock(&shared);
    value = 1;
    pthread_rwlock_unlock(&shared);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    reader(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(value == 1);
    return 0;
}
