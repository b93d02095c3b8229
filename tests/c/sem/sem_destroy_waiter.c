//@ property: lock-misuse verdict: unsafe line: 20
//@ property: assertion,data-race,memory verdict: safe
// A thread may wait there that no post has let go on.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *arg)
{
    sem_wait(&s);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, work, 0);
    sem_destroy(&s);
    pthread_join(t, 0);
    return 0;
}
