//@ property: deadlock verdict: safe
// The other thread tries to read what main locks for writing and gives away in its round: some time it gets it.
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t first = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *run(void *arg)
{
    while (pthread_rwlock_tryrdlock(&first))
        ;
    done = 1;
    pthread_rwlock_unlock(&first);
    return arg;
}

static void wait_until_done(void)
{
    int seen;
    do {
        pthread_mutex_lock(&second);
        pthread_rwlock_unlock(&first);
        seen = done;
        pthread_rwlock_wrlock(&first);
        pthread_mutex_unlock(&second);
    } while (!seen);
}

int main(void)
{
    pthread_t thread;
    pthread_rwlock_wrlock(&first);
    pthread_create(&thread, 0, run, 0);
    wait_until_done();
    pthread_rwlock_unlock(&first);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
