/* A buffer of SIZE places between one producer and CONSUMERS consumers of ITEMS items each, with a condition
   variable for each side.
   Unsafe: does not look again after waiting; another consumer may have been quicker. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int place[SIZE], count, first;

#if UNSAFE
#define WAIT_WHILE(condition, signal) \
    if (condition)                    \
    pthread_cond_wait(signal, &mutex)
#else
#define WAIT_WHILE(condition, signal) \
    while (condition)                 \
    pthread_cond_wait(signal, &mutex)
#endif

static void *produce(void *unused)
{
    for (int item = 1; item <= CONSUMERS * ITEMS; item++) {
        pthread_mutex_lock(&mutex);
        WAIT_WHILE(count == SIZE, &emptied);
        place[(first + count) % SIZE] = item;
        count++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *consume(void *unused)
{
    int last = 0;
    for (int k = 0; k < ITEMS; k++) {
        pthread_mutex_lock(&mutex);
        WAIT_WHILE(count == 0, &filled);
        assert(count > 0);
        int item = place[first];
        first = (first + 1) % SIZE;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
        assert(item > last);
        last = item;
    }
    return unused;
}

int main(void)
{
    pthread_t producer, consumers[CONSUMERS];
    for (int t = 0; t < CONSUMERS; t++)
        pthread_create(&consumers[t], 0, consume, 0);
    pthread_create(&producer, 0, produce, 0);
    pthread_join(producer, 0);
    for (int t = 0; t < CONSUMERS; t++)
        pthread_join(consumers[t], 0);
    assert(count == 0);
    return 0;
}
