//@ property: deadlock verdict: unsafe line: 18
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A writer waits for every reader: one that has ended is enough, though another one goes on.
#include <pthread.h>

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&shared);
    return arg;
}

static void *writer(void *arg)
{
    pthread_t other;
    pthread_create(&other, 0, reader, 0);
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_rwlock_rdlock(&shared);
    pthread_create(&thread, 0, writer, 0);
    for (;;)
        ;
}
