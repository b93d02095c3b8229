//@ property: memory-leak verdict: safe
//@ property: memory-cleanup verdict: unsafe
//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// A block that only the stack of another living thread knows is not lost when main returns.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t made, never;

static void *work(void *arg) {
    int *own = malloc(sizeof *own);
    *own = 1;
    sem_post(&made);
    sem_wait(&never);
    free(own);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&made, 0, 0);
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, work, 0);
    sem_wait(&made);
    return 0;
}

//@ known: order memory-leak unknown(may-be-lost)
