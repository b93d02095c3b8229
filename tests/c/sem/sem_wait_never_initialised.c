//@ property: lock-misuse verdict: unsafe line: 9
// The count that the thread waits for is indeterminate: that it waits for ever is one choice of it, and no deadlock.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *wait(void *sem)
{
    sem_wait(sem);
    return 0;
}

int main(void)
{
    sem_t *sem = malloc(sizeof *sem);
    pthread_t t;
    if (!sem)
        return 0;
    pthread_create(&t, 0, wait, sem);
    pthread_join(t, 0);
    free(sem);
    return 0;
}
