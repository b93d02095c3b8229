//@ property: assertion verdict: unsafe line: 32
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Signalled or timed out: the program must be ready for both. Even after the signal was sent.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *produce(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    struct timespec time = {.tv_sec = 1};
    pthread_t t;
    int result = 0;
    pthread_create(&t, 0, produce, 0);
    pthread_mutex_lock(&m);
    if (!ready)
        result = pthread_cond_timedwait(&c, &m, &time);
    int now = ready;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(!(result == ETIMEDOUT && now));
    return 0;
}
