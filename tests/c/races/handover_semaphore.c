//@ property: all verdict: safe
//@ run: gcc
// Waiting for the semaphore is waiting for the data.
#include <pthread.h>
#include <semaphore.h>

static sem_t full;
static int data;

static void *produce(void *unused)
{
    data = 1;
    sem_post(&full);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&full, 0, 0);
    pthread_create(&thread, 0, produce, 0);
    sem_wait(&full);
    data++;
    pthread_join(thread, 0);
    sem_destroy(&full);
    return 0;
}
