//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe
// Each thread counts in a variable of its own, but its address is there for others to write to.
#include <pthread.h>

static _Thread_local unsigned n;
static unsigned *_Atomic theirs;

static void *worker(void *unused)
{
    theirs = &n;
    n++;
    *theirs = 5;
    while (1)
        ;
    return n == 1 ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: lockset memory,misuse,assertion,deadlock,division-by-zero unknown(unproved)
