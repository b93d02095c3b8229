/* A bounded buffer with a mutex and two condition variables: THREADS producers and as many consumers,
   ROUNDS items each. */
#include <assert.h>
#include <pthread.h>

#define SIZE 2

static int items[SIZE], first, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&not_full, &lock);
        items[(first + count++) % SIZE] = i + 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&not_empty, &lock);
        assert(items[first] > 0 && items[first] <= ROUNDS);
        first = (first + 1) % SIZE;
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2 * THREADS];
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[2 * i], 0, produce, 0);
        pthread_create(&threads[2 * i + 1], 0, consume, 0);
    }
    for (int i = 0; i < 2 * THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
