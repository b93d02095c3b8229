/* THREADS threads count ROUNDS times each under one mutex.
   Unsafe: the first thread forgets the mutex, so an update can be lost. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *argument)
{
    int careless = UNSAFE && (long)argument == 0;
    for (int k = 0; k < ROUNDS; k++) {
        if (!careless)
            pthread_mutex_lock(&mutex);
        counter++;
        if (!careless)
            pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, count, (void *)t);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
