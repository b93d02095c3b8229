//@ property: deadlock verdict: unsafe line: 16
//@ property: assertion,data-race,memory verdict: safe
//@ property: lock-misuse verdict: unsafe
// A writer waits for all readers to leave; one that still is a reader waits for itself, too. Blocked in lines
// 16 and 29.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *fill(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int missing = !value;
    if (missing) {
        pthread_rwlock_wrlock(&lock);
        value = 1;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    fill(0);
    pthread_join(thread, 0);
    return 0;
}
