//@ property: memory-cleanup verdict: unsafe line: 9
//@ property: assertion,data-race,memory verdict: safe
// The program may end while a thread that nobody waits for has a block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *worker(void *argument) {
    int *block = malloc(sizeof(int));
    *block = 1;
    free(block);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    return 0;
}
