//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ property: thread-misuse verdict: unsafe line: 31
//@ model: pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_getdetachstate
// A thread can be detached from the start.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t hold;

static void *work(void *arg) {
    sem_wait(&hold);
    return 0;
}

int main(void) {
    pthread_attr_t attr;
    pthread_t t;
    int state;
    sem_init(&hold, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_setdetachstate(&attr, 5) == EINVAL);
    pthread_attr_getdetachstate(&attr, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&t, &attr, work, 0) == 0);
    pthread_attr_destroy(&attr);
    assert(pthread_join(t, 0) == EINVAL);
    sem_post(&hold);
    pthread_exit(0);
}
