//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// A reader that fills in what is missing is a writer. Lines 12, 13, 14 and 16 race.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int known, value;

static void *get(void *unused)
{
    pthread_rwlock_rdlock(&lock);
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
