//@ property: memory-cleanup verdict: unsafe line: 23
//@ property: assertion,data-race,deadlock,memory verdict: safe
// An exit in the middle of main leaves what later code would have freed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready, seen;

static void *worker(void *argument) {
    ready = 1;
    seen = ready;
    ready = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int *block = malloc(sizeof(int));
    if (ready == 1)
        exit(0);
    ready = 5;
    free(block);
    pthread_join(thread, 0);
    assert(seen <= 5);
    return 0;
}
