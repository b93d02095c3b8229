//@ property: data-race verdict: unsafe line: 15
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The owner uses its variable after it has shown it to another thread. Lines 15 and 27 race.
#include <pthread.h>
#include <semaphore.h>

static _Thread_local int own;
static int *_Atomic shown;
static sem_t done;

static void *show(void *unused)
{
    own = 1;
    shown = &own;
    own = 2;
    sem_wait(&done);
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
