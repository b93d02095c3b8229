//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A block that is made by the first thread that needs it and published through an atomic pointer.
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
            *mine = 1;
            atomic_store(&made, mine);
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

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
