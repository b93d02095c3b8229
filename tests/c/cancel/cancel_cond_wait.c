//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
// A thread cancelled while it waits takes the mutex again before its cleanup handlers run.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void unlock(void *arg) {
    cleaned = 1;
    pthread_mutex_unlock(arg);
}

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push(unlock, &m);
    for (;;)
        pthread_cond_wait(&c, &m);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && cleaned == 1);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

//@ known: order all unknown(limit)
