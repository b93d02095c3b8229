//@ property: deadlock verdict: safe
// The worker waits for its next job in a loop of its own, at the very beginning of its endless loop. Main posts a job
// only when the one before was taken, and the end of the program ends the worker.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int posted, done;

static void *work(void *arg)
{
    for (;;) {
        while (!atomic_load(&posted))
            ;
        atomic_store(&posted, 0);
        atomic_fetch_add(&done, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    atomic_store(&posted, 1);
    while (atomic_load(&posted))
        ;
    atomic_store(&posted, 1);
    while (atomic_load(&done) < 2)
        ;
    return 0;
}

//@ known: order deadlock unknown(loop-bound)
