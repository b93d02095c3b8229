// The consumer looks at the flag and then waits; the producer sets it and signals without the lock. A
// signal between the look and the wait reaches nobody, and the consumer sleeps for ever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *consumer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, consumer, 0);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_join(thread, 0);
    return 0;
}
