//@ property: memory-leak verdict: unsafe line: 13
//@ property: memory-cleanup verdict: unsafe line: 13
//@ property: assertion,data-race,memory verdict: safe
// Two threads may both see that there is no block yet, and then one of two is forgotten.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) block;

static void *init(void *argument) {
    if (!block)
        block = malloc(sizeof(int));
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, init, 0);
    pthread_create(&two, 0, init, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    free(block);
    return 0;
}
