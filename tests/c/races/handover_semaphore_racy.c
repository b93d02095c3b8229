//@ property: data-race verdict: unsafe line: 12
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The semaphore lets the first one pass who comes, whether or not the data is there. Lines 12 and 23 race.
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
    sem_init(&full, 0, 1);
    pthread_create(&thread, 0, produce, 0);
    sem_wait(&full);
    data++;
    pthread_join(thread, 0);
    sem_destroy(&full);
    return 0;
}
