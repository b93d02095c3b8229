//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 36
//@ bounds: unwind 1 rounds 1
// A barrier made of a mutex, a condition variable and a counter is used twice, but the counter is not set back: nobody
// waits the second time, and the last thread runs ahead of those that still wait the first time. barrier_v in table 1
// of Inverso et al. (CAV 2014), there with unwind 4 and 1 round; the loops that go on here have constant counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived;
static atomic_int phase[THREADS];

static void wait_for_all(void)
{
    pthread_mutex_lock(&lock);
    arrived++;
    if (arrived >= THREADS)
        pthread_cond_broadcast(&all_here);
    while (arrived < THREADS)
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
