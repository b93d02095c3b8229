//@ property: assertion verdict: unsafe line: 24
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Whether the wait is long enough is open.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    const struct timespec time = {.tv_sec = 1};
    pthread_t t;
    pthread_create(&t, 0, hold, 0);
    int result = pthread_mutex_timedlock(&m, &time);
    if (result == 0)
        pthread_mutex_unlock(&m);
    assert(result != ETIMEDOUT);
    pthread_join(t, 0);
    return 0;
}
