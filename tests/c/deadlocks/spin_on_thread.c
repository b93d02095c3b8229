//@ property: deadlock verdict: safe
// The loop asks whether the thread is there, until that is done.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int done;
static sem_t end;

static void *run(void *arg)
{
    sem_wait(&end);
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&end, 0, 1);
    pthread_create(&thread, 0, run, 0);
    while (pthread_kill(thread, 0) == 0 && !done)
        ;
    pthread_join(thread, 0);
    return 0;
}
