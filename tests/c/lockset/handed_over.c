//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
// Blocks go through a slot from main to one consumer, which frees them; after that main does not touch them.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int *slot;

static void *consumer(void *unused)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (!slot)
            pthread_cond_wait(&moved, &m);
        int *mine = slot;
        slot = 0;
        pthread_cond_signal(&moved);
        pthread_mutex_unlock(&m);
        *mine += 1;
        free(mine);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    while (1) {
        int *block = malloc(sizeof *block);
        *block = 0;
        pthread_mutex_lock(&m);
        while (slot)
            pthread_cond_wait(&moved, &m);
        slot = block;
        pthread_cond_signal(&moved);
        pthread_mutex_unlock(&m);
    }
}

//@ known: order all unknown(loop-bound)
//@ known: explicit all unknown(limit)
//@ known: portfolio all unknown(loop-bound)
//@ known: lockset all unknown(unproved)
