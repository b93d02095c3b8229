//@ property: deadlock verdict: safe
// A writer makes an attempt to read fail.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *run(void *arg)
{
    int seen = 0;
    while (!seen) {
        pthread_rwlock_wrlock(&lock);
        seen = flag;
        pthread_rwlock_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    while (pthread_rwlock_tryrdlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    flag = 1;
    pthread_join(thread, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
