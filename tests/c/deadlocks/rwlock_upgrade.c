//@ property: all verdict: safe
//@ run: gcc
// Who wants to write leaves as a reader first, and looks again.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *fill(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int missing = !value;
    pthread_rwlock_unlock(&lock);
    if (missing) {
        pthread_rwlock_wrlock(&lock);
        if (!value)
            value = 1;
        pthread_rwlock_unlock(&lock);
    }
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
