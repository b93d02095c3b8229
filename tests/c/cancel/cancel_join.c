//@ unsupported: 26 pthread_join
// A thread is cancelled while it waits for another one to end.
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static pthread_t waiter, joiner;

static void *wait_for_main(void *arg)
{
    sem_wait(&done);
    return arg;
}

static void *wait_for_waiter(void *arg)
{
    pthread_join(waiter, 0);
    return arg;
}

int main(void)
{
    sem_init(&done, 0, 0);
    pthread_create(&waiter, 0, wait_for_main, 0);
    pthread_create(&joiner, 0, wait_for_waiter, 0);
    pthread_cancel(joiner);
    pthread_join(joiner, 0);
    sem_post(&done);
    return 0;
}
