//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 1
// barrier.c repaired: the last thread sets the counter back, and the others wait for the next generation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, generation;
static atomic_int phase[THREADS];

static void wait_for_all(void)
{
    pthread_mutex_lock(&lock);
    int mine = generation;
    arrived++;
    if (arrived == THREADS) {
        arrived = 0;
        generation++;
        pthread_cond_broadcast(&all_here);
    }
    while (generation == mine)
        pthread_cond_wait(&all_here, &lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
    int self = (int)(long)arg;
    for (int now = 1; now <= 2; now++) {
        phase[self] = now;
        wait_for_all();
        for (int other = 0; other < THREADS; other++)
            assert(phase[other] >= now);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
