//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The first check reads without the lock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *instance, value;

static void *get(void *arg) {
    if (!instance) {
        pthread_mutex_lock(&m);
        if (!instance) {
            value = 42;
            instance = &value;
        }
        pthread_mutex_unlock(&m);
    }
    assert(*instance == 42);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, get, 0);
    get(0);
    pthread_join(t, 0);
    return 0;
}
