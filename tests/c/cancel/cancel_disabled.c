//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
//@ model: pthread_setcancelstate pthread_setcanceltype
// A request waits until the thread allows it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready, asked;
static int reached;

static void *work(void *arg) {
    int old = -1;
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcancelstate(9, &old) == EINVAL);
    sem_post(&ready);
    sem_wait(&asked);
    pthread_testcancel();
    reached = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    pthread_testcancel();
    reached = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    sem_init(&ready, 0, 0);
    sem_init(&asked, 0, 0);
    pthread_create(&t, 0, work, 0);
    sem_wait(&ready);
    pthread_cancel(t);
    sem_post(&asked);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && reached == 1);
    return 0;
}

//@ known: order all unknown(limit)
