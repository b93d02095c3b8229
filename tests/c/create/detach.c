//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ property: thread-misuse verdict: unsafe line: 22
//@ model: pthread_detach
// A detached thread runs on its own; detaching it again, or joining it, is refused.
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
    pthread_t t;
    sem_init(&hold, 0, 0);
    pthread_create(&t, 0, work, 0);
    assert(pthread_detach(t) == 0);
    assert(pthread_detach(t) == EINVAL);
    assert(pthread_join(t, 0) == EINVAL);
    sem_post(&hold);
    pthread_exit(0);
}
