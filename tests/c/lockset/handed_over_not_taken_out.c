//@ property: data-race verdict: unsafe
//@ property: use-after-free verdict: unsafe line: 21
//@ property: invalid-free verdict: unsafe line: 22
// Two consumers take blocks from a slot, but leave the pointer there: each block goes to both of them.
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
    pthread_create(&t, 0, consumer, 0);
    {
        int *block = malloc(sizeof *block);
        *block = 0;
        pthread_mutex_lock(&m);
        while (slot)
            pthread_cond_wait(&moved, &m);
        slot = block;
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&m);
    }
    pthread_exit(0);
}
