//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
// A semaphore that nobody posts does not hold a cancelled thread.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *work(void *arg) {
    sem_wait(&never);
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}

//@ known: order all unknown(limit)
