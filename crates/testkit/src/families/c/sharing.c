/* THREADS threads share the work on an array: each draws a number ITEMS times and works on that element,
   counted from a place that is not known.
   Unsafe: looks at the number before taking the mutex, so two threads can draw the same one. */
#include <assert.h>
#include <pthread.h>

#define SIZE (THREADS * ITEMS)

unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned start, next;
static int done[SIZE];

static unsigned draw(void)
{
    unsigned number;
#if UNSAFE
    number = next;
    pthread_mutex_lock(&mutex);
#else
    pthread_mutex_lock(&mutex);
    number = next;
#endif
    next = number + 1;
    pthread_mutex_unlock(&mutex);
    return number;
}

static void *work(void *unused)
{
    for (int k = 0; k < ITEMS; k++) {
        unsigned at = (start + draw()) % SIZE;
        done[at] = done[at] + 1;
    }
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    start = __VERIFIER_nondet_uint() % SIZE;
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, work, 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    for (int k = 0; k < SIZE; k++)
        assert(done[k] == 1);
    return 0;
}
