//@ property: assertion verdict: unsafe line: 19
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Who counts on trylock to succeed is wrong if another thread holds the mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int got = pthread_mutex_trylock(&m) == 0;
    assert(got);
    if (got)
        pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
