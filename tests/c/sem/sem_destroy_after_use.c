//@ property: all verdict: safe
//@ run: gcc
//@ model: sem_destroy __braid_uses_sem_destroy
// A semaphore on the heap, destroyed when nobody needs it; initialised again in the same place.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static void *work(void *arg)
{
    sem_post(arg);
    return 0;
}

int main(void)
{
    sem_t *s = malloc(sizeof *s);
    pthread_t t;
    sem_init(s, 0, 0);
    pthread_create(&t, 0, work, s);
    sem_wait(s);
    pthread_join(t, 0);
    assert(sem_destroy(s) == 0);
    sem_init(s, 0, 1);
    assert(sem_wait(s) == 0);
    sem_destroy(s);
    free(s);
    return 0;
}
