//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// A semaphore of two lets two in.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *add(void *arg) {
    sem_wait(&s);
    x++;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 2);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return 0;
}
