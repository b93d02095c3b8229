//@ property: deadlock verdict: unsafe line: 12
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two semaphores taken in opposite order. Blocked in line 12.
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void take(sem_t *first, sem_t *second)
{
    sem_wait(first);
    sem_wait(second);
    sem_post(second);
    sem_post(first);
}

static void *work(void *unused)
{
    take(&a, &b);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&thread, 0, work, 0);
    take(&b, &a);
    pthread_join(thread, 0);
    sem_destroy(&a);
    sem_destroy(&b);
    return 0;
}
