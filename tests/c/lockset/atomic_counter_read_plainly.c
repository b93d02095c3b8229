//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 10
// Any number of threads count with an atomic operation and read the counter without one.
#include <pthread.h>

static unsigned n;

static void *worker(void *unused)
{
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
    return n ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
