//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// A detached thread can be cancelled as long as it runs.
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
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
    pthread_cancel(t);
    pthread_exit(0);
}

//@ known: order all unknown(unsupported)
