//@ property: deadlock verdict: unsafe line: 24
// The memory of the semaphore is uninitialised when the first thread is started; the wait sees the count that
// sem_init has set.
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
    sem_t first, *second = malloc(sizeof *second);
    pthread_t t, u;
    if (!second)
        return 0;
    sem_init(&first, 0, 1);
    pthread_create(&t, 0, wait, &first);
    sem_init(second, 0, 0);
    pthread_create(&u, 0, wait, second);
    pthread_join(u, 0);
    pthread_join(t, 0);
    free(second);
    return 0;
}
