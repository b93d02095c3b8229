//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two waits, one post.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *wait(void *arg) {
    sem_wait(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, wait, 0);
    sem_post(&s);
    sem_wait(&s);
    pthread_join(t, 0);
    return 0;
}
