//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ model: pthread_detach
// Threads that were there at the same time have different ids, even when one of them is gone.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t hold;

static void *waits(void *arg)
{
    sem_wait(&hold);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&hold, 0, 0);
    pthread_create(&first, 0, waits, 0);
    pthread_detach(first);
    pthread_create(&second, 0, waits, 0);
    sem_post(&hold);
    sem_post(&hold);
    pthread_join(second, 0);
    assert(!pthread_equal(first, second));
    assert(!pthread_equal(first, pthread_self()));
    assert(first);
    return 0;
}

//@ known: order all unknown(addresses)
