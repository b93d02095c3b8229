//@ property: all verdict: safe
//@ run: gcc
// One begins, then the other one.
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;

static void *answer(void *unused)
{
    sem_wait(&ping);
    sem_post(&pong);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&thread, 0, answer, 0);
    sem_post(&ping);
    sem_wait(&pong);
    pthread_join(thread, 0);
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
