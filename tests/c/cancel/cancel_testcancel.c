//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: pthread_cancel pthread_testcancel
// A thread ends at the first cancellation point after the request.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t asked;
static int after;

static void *work(void *arg) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    while (sem_trywait(&asked))
        pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
    pthread_testcancel();
    after = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    sem_init(&asked, 0, 0);
    pthread_create(&t, 0, work, 0);
    assert(pthread_cancel(t) == 0);
    sem_post(&asked);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && after == 0);
    return 0;
}

//@ known: order all unknown(limit)
