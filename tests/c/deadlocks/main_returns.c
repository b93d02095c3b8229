//@ property: deadlock verdict: safe
// A thread waits for ever, but main goes on, and its end is the program's.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *work(void *arg)
{
    sem_wait(&never);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
