//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 32
//@ bounds: unwind 1 rounds 1
// Four threads each set a cell of an array, and the sum is meant to be 4 when all are done. The threads read from a
// variable which cell is theirs, but main may have changed it by then. The thread that sums up is last in the round.
// sigma in table 1 of Inverso et al. (CAV 2014), there with 16 threads, unwind 16 and 1 round. The loops here have
// constant counts, and with four threads an exhaustive search ends.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4

static atomic_int place, cells[THREADS], done[THREADS];

static void *set(void *arg)
{
    cells[place] = 1;
    done[(long)arg] = 1;
    return 0;
}

static void *sum_up(void *arg)
{
    int all = 1, sum = 0;
    for (int i = 0; i < THREADS; i++)
        all &= done[i];
    if (!all)
        return arg;
    for (int i = 0; i < THREADS; i++)
        sum += cells[i];
    assert(sum == THREADS);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS], last;
    for (long i = 0; i < THREADS; i++) {
        place = i;
        pthread_create(&threads[i], 0, set, (void *)i);
    }
    pthread_create(&last, 0, sum_up, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_join(last, 0);
    return 0;
}
