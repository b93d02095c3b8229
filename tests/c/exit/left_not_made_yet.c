//@ property: memory-cleanup,memory-leak,assertion,data-race,memory verdict: safe
// The program may end before the thread makes its block, and after it is freed, but not in between.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void *worker(void *argument) {
    __VERIFIER_atomic_begin();
    int *block = malloc(sizeof(int));
    *block = 1;
    free(block);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
