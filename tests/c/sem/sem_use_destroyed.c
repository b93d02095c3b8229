//@ property: lock-misuse verdict: unsafe line: 12
//@ property: assertion,data-race,deadlock,memory verdict: safe
// A thread may wait there, or come later.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *arg) {
    int got;
    got = sem_wait(&s);
    assert(got == 0 || got == -1);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, work, 0);
    sem_destroy(&s);
    pthread_join(t, 0);
    return 0;
}
