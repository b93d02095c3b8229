//@ property: memory-cleanup,memory-leak,assertion,data-race,memory verdict: safe
// Blocks go from hand to hand and are freed by whoever has them last, on every path.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) box;

static void *swap(void *argument) {
    int *mine = malloc(sizeof(int));
    *mine = 1;
    int *theirs = atomic_exchange(&box, mine);
    if (theirs)
        free(theirs);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, swap, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    free(box);
    return 0;
}
