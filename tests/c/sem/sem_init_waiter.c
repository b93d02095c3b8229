//@ property: lock-misuse verdict: unsafe line: 20
//@ property: assertion,data-race,memory verdict: safe
// A thread may wait there when the semaphore is initialised again.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *arg)
{
    sem_wait(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    sem_init(&s, 0, 1);
    pthread_join(t, 0);
    sem_destroy(&s);
    return 0;
}
