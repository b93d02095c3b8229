//@ property: all verdict: safe
//@ run: gcc
// The last array of a message is as long as its block, whatever its declaration says.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message { int count; int items[1]; };

static void *fill(void *arg) {
    struct message *m = arg;
    for (int i = 0; i < m->count; i++)
        m->items[i] = i;
    return m;
}

int main(void) {
    struct message *m = malloc(sizeof *m + 2 * sizeof(int));
    pthread_t t;
    m->count = 3;
    pthread_create(&t, 0, fill, m);
    pthread_join(t, 0);
    assert(m->items[2] == 2);
    free(m);
    return 0;
}

//@ known: order all unknown(loop-bound)
