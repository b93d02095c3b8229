//@ property: data-race verdict: unsafe line: 13
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Nobody waits for a detached thread. Lines 13 and 24 race.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int data;

static void *work(void *unused)
{
    sem_post(&done);
    data = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    sem_wait(&done);
    data++;
    return 0;
}
