//@ property: all verdict: safe
//@ run: gcc
// One thread waits for another, main for both of them.
#include <pthread.h>
#include <semaphore.h>

static pthread_t one, two;
static sem_t known;

static void *first(void *unused)
{
    sem_wait(&known);
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&known);
    pthread_join(one, 0);
    return unused;
}

int main(void)
{
    sem_init(&known, 0, 0);
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    sem_post(&known);
    sem_post(&known);
    pthread_join(two, 0);
    sem_destroy(&known);
    return 0;
}
