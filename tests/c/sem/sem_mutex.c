//@ property: all verdict: safe
//@ run: gcc
//@ model: sem_init sem_destroy sem_wait sem_post
// A semaphore of one as a mutex.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *add(void *arg) {
    assert(sem_wait(&s) == 0);
    x++;
    assert(sem_post(&s) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(sem_init(&s, 0, 1) == 0);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    assert(sem_destroy(&s) == 0);
    return 0;
}
