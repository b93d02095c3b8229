//@ property: deadlock verdict: unsafe
// The flag is polled under a read lock that only this thread uses.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int done;

static void *wait(void *arg)
{
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        int seen = done;
        pthread_rwlock_unlock(&lock);
        if (seen)
            return arg;
    }
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
