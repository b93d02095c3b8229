//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// A block brings its own lock, which is initialised before a pointer to the block is passed on.
#include <pthread.h>
#include <stdlib.h>

struct box {
    pthread_mutex_t m;
    unsigned n;
};

static void *worker(void *argument)
{
    struct box *box = argument;
    pthread_mutex_lock(&box->m);
    box->n++;
    pthread_mutex_unlock(&box->m);
    return 0;
}

int main(void)
{
    pthread_t t;
    struct box *box = malloc(sizeof *box);
    pthread_mutex_init(&box->m, 0);
    box->n = 0;
    while (1)
        pthread_create(&t, 0, worker, box);
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
