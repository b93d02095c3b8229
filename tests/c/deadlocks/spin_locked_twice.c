//@ property: deadlock verdict: safe
// Main finds under two locks what it has set itself a round before.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t unused;
static int done;

static int look(void)
{
    pthread_mutex_lock(&mutex);
    pthread_rwlock_rdlock(&lock);
    pthread_mutex_unlock(&mutex);
    int seen = done++;
    pthread_rwlock_unlock(&lock);
    return seen;
}

int main(void)
{
    sem_init(&unused, 0, 1);
    while (!look())
        ;
    return 0;
}
