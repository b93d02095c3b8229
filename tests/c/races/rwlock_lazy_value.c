//@ property: all verdict: safe
//@ run: gcc
// Who fills in what is missing has the write lock.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int known, value;

static void *get(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    if (!known) {
        value = 42;
        known = 1;
    }
    int seen = value;
    pthread_rwlock_unlock(&lock);
    return seen == 42 ? unused : &value;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, get, 0);
    get(0);
    pthread_join(thread, 0);
    return 0;
}
