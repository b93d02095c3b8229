//@ property: assertion verdict: unsafe line: 21
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// The post may come too late.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *post(void *arg) {
    sem_post(&s);
    return 0;
}

int main(void) {
    struct timespec time = {.tv_sec = 1};
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, post, 0);
    assert(sem_timedwait(&s, &time) == 0);
    pthread_join(t, 0);
    return 0;
}
