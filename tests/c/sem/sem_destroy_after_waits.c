//@ property: all verdict: safe
//@ run: gcc
// Threads waited there, and went on; nobody waits when it is destroyed, or initialised again.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *arg)
{
    assert(sem_wait(&s) == 0);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    sem_post(&s);
    sem_post(&s);
    pthread_join(t, 0);
    pthread_join(u, 0);
    sem_init(&s, 0, 1);
    assert(sem_wait(&s) == 0);
    assert(sem_destroy(&s) == 0);
    return 0;
}
