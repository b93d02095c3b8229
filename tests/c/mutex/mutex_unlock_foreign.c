//@ property: lock-misuse verdict: unsafe line: 9
//@ property: assertion,data-race,deadlock,memory verdict: safe
// Only the thread that holds a mutex may unlock it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *release(void *arg) {
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, release, 0);
    pthread_join(t, 0);
    return 0;
}
