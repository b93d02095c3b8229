//@ property: assertion verdict: unsafe line: 21
//@ property: deadlock,lock-misuse verdict: safe
// What a thread has written in its section hides what others wrote under the lock, not what they write without.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x;

static void *without(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    x = 2;
    return 0;
}

static void *within(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    int seen = x;
    assert(seen == 1);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, without, 0);
    pthread_create(&b, 0, within, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
