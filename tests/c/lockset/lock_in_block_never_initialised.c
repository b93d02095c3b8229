//@ property: assertion,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe line: 15
// A block brings its own lock, which nobody initialises.
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
    box->n = 0;
    while (1)
        pthread_create(&t, 0, worker, box);
}

//@ known: order memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
