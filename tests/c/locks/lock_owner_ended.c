//@ property: deadlock verdict: unsafe line: 17
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A thread ends with the lock; who waits for it waits for ever, although main goes on.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *forget(void *arg) {
    pthread_mutex_lock(&m);
    return 0;
}

static void *wait(void *first) {
    pthread_join(*(pthread_t *)first, 0);
    // Nobody is left to unlock it. Main does not wait for this thread, so not everybody is blocked.

    pthread_mutex_lock(&m);
    return 0;
}

int main(void) {
    static pthread_t a, b;
    pthread_create(&a, 0, forget, 0);
    pthread_create(&b, 0, wait, &a);
    return 0;
}
