//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A writer waits for every reader: a cycle through one of them is enough, though another one goes on.
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&shared);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_rwlock_unlock(&shared);
    return arg;
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_rwlock_rdlock(&shared);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    for (;;)
        ;
}
