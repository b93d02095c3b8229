//@ property: lock-misuse verdict: unsafe line: 15
//@ property: assertion,data-race,deadlock,memory verdict: safe
// Another thread may still hold it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

static void finish(void) {
    pthread_mutex_destroy(&m);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    finish();
    pthread_join(t, 0);
    return 0;
}
