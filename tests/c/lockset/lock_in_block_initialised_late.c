//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: lock-misuse verdict: unsafe line: 27
//@ property: data-race verdict: unsafe line: 28
// A block brings its own lock, which is initialised when threads already use the block.
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
    pthread_create(&t, 0, worker, box);
    pthread_mutex_init(&box->m, 0);
    box->n = 0;
    while (1)
        pthread_create(&t, 0, worker, box);
}

//@ known: order memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
