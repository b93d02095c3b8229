//@ property: all verdict: safe
//@ run: gcc
// The address of a thread-local variable goes to another thread, and its owner waits.
#include <pthread.h>
#include <semaphore.h>

static _Thread_local int own;
static int *_Atomic shown;
static sem_t done;

static void *show(void *unused)
{
    own = 1;
    shown = &own;
    sem_wait(&done);
    own = 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, show, 0);
    int *seen = shown;
    if (seen)
        ++*seen;
    sem_post(&done);
    pthread_join(thread, 0);
    sem_destroy(&done);
    return 0;
}
