//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 1
// sigma.c repaired: each thread is told its cell when it is started.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4

static int cells[THREADS];
static atomic_int done[THREADS];

static void *set(void *arg)
{
    cells[(long)arg] = 1;
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
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, set, (void *)i);
    pthread_create(&last, 0, sum_up, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_join(last, 0);
    return 0;
}
