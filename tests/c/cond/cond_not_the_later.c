//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// A signal is for those who wait when it comes: a thread that begins to wait later cannot take it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, signalled, woken_late;

static void *early(void *arg) {
    pthread_mutex_lock(&m);
    waiting = 1;
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

static void *late(void *arg) {
    pthread_mutex_lock(&m);
    if (signalled) {
        pthread_cond_wait(&c, &m);
        woken_late = 1;
    }
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, early, 0);
    pthread_create(&b, 0, late, 0);
    pthread_mutex_lock(&m);
    if (waiting) {
        signalled = 1;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(!woken_late);
    pthread_mutex_unlock(&m);
    return 0;
}
