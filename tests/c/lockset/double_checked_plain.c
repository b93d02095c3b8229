//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 19
// A block that is made by the first thread that needs it and published through a plain pointer.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *made;

static void *worker(void *unused)
{
    int *mine = made;
    if (!mine) {
        pthread_mutex_lock(&m);
        mine = made;
        if (!mine) {
            mine = malloc(sizeof *mine);
            *mine = 1;
            made = mine;
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
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
