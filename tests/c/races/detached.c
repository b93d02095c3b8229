//@ property: all verdict: safe
//@ run: gcc
// The detached thread says when it is done.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int data;

static void *work(void *unused)
{
    data = 1;
    sem_post(&done);
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
