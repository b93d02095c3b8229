//@ property: deadlock verdict: safe
// The thread holds a spin lock and posts in every round; the semaphore lies beside the lock.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int done;
static struct {
    pthread_spinlock_t lock;
    sem_t posted;
} shared;

static void *run(void *arg)
{
    pthread_spin_lock(&shared.lock);
    while (!done) {
        sem_post(&shared.posted);
        sem_trywait(&shared.posted);
    }
    pthread_spin_unlock(&shared.lock);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_spin_init(&shared.lock, 0);
    sem_init(&shared.posted, 0, 0);
    pthread_create(&thread, 0, run, 0);
    sem_wait(&shared.posted);
    done = 1;
    pthread_join(thread, 0);
    return 0;
}
//@ known: order deadlock unknown(loop-bound)
