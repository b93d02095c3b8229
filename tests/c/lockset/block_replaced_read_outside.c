//@ property: use-after-free verdict: unsafe line: 23
//@ property: data-race verdict: unsafe
// A shared block is freed and replaced under a lock, and read after the lock was given back.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block;

static void *worker(void *unused)
{
    int *mine;
    pthread_mutex_lock(&m);
    if (__VERIFIER_nondet_int()) {
        free(block);
        block = malloc(sizeof *block);
        *block = 1;
    }
    mine = block;
    pthread_mutex_unlock(&m);
    return *mine ? unused : 0;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    *block = 0;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
