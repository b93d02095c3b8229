//@ property: assertion verdict: unsafe line: 27
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// The other outcome: the signal comes in time.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *signal(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    struct timespec time = {.tv_sec = 1};
    pthread_t t;
    int result;
    pthread_create(&t, 0, signal, 0);
    pthread_mutex_lock(&m);
    result = pthread_cond_timedwait(&c, &m, &time);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(result != 0);
    return 0;
}
