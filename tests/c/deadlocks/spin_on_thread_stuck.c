//@ property: deadlock verdict: unsafe line: 23
// The loop asks for ever whether a thread is there that waits for ever.
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
    sem_init(&end, 0, 0);
    pthread_create(&thread, 0, run, 0);
    while (pthread_kill(thread, 0) == 0)
        ;
    pthread_join(thread, 0);
    return 0;
}
