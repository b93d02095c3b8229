//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Each thread counts in a variable of its own.
#include <pthread.h>

static _Thread_local unsigned n;

static void *worker(void *unused)
{
    n++;
    return n == 1 ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
