/* THREADS threads each set one element of an array, and main sums up what they set. Each thread has its element as its
   argument.
   Unsafe: the element is the one that a shared variable names when the thread looks, and main may have gone on. */
#include <assert.h>
#include <pthread.h>

static int place, cells[THREADS];

static void *set(void *argument)
{
    cells[UNSAFE ? place : (int)(long)argument] = 1;
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    int sum = 0;
    for (long t = 0; t < THREADS; t++) {
        place = (int)t;
        pthread_create(&threads[t], 0, set, (void *)t);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    for (int t = 0; t < THREADS; t++)
        sum += cells[t];
    assert(sum == THREADS);
    return 0;
}
