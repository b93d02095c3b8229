//@ property: deadlock verdict: safe
// A semaphore that is waited for with a time limit, again and again.
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items;

static void *take(void *arg)
{
    struct timespec soon = {1, 0};
    while (sem_timedwait(&items, &soon))
        ;
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, 0, take, 0);
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
