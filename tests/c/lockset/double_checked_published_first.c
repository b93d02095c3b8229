//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 20
// A block that is published through an atomic pointer before it is filled in.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic made;

static void *worker(void *unused)
{
    int *mine = atomic_load(&made);
    if (!mine) {
        pthread_mutex_lock(&m);
        mine = atomic_load(&made);
        if (!mine) {
            mine = malloc(sizeof *mine);
            atomic_store(&made, mine);
            *mine = 1;
        }
        pthread_mutex_unlock(&m);
    }
    return *mine ? unused : 0;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

//@ known: order memory,misuse,assertion,deadlock,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
