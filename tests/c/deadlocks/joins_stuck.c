//@ property: deadlock verdict: unsafe line: 13
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two threads wait for each other to end. Blocked in lines 13 and 20.
#include <pthread.h>
#include <semaphore.h>

static pthread_t one, two;
static sem_t known;

static void *first(void *unused)
{
    sem_wait(&known);
    pthread_join(two, 0);
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
    pthread_exit(0);
}
