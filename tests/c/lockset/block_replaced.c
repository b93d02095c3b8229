//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A shared block is freed and replaced under the lock that guards the pointer.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *worker(void *unused)
{
    int seen;
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int()) {
        free(block);
        block = malloc(sizeof *block);
        *block = 1;
    }
    seen = *block;
    pthread_mutex_unlock(&m);
    return seen ? unused : 0;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    *block = 0;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset all unknown(unproved)
