//@ property: all verdict: safe
//@ run: gcc
// A post hands data over: no race.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled, emptied;
static int data;

static void *produce(void *arg) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&emptied);
        data = i;
        sem_post(&filled);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&filled, 0, 0);
    sem_init(&emptied, 0, 1);
    pthread_create(&t, 0, produce, 0);
    for (int i = 0; i < 2; i++) {
        sem_wait(&filled);
        assert(data == i);
        sem_post(&emptied);
    }
    pthread_join(t, 0);
    return 0;
}
