//@ property: memory-cleanup,memory-leak,assertion,data-race,memory verdict: safe
// The program may end before the thread makes its block, and after it is freed, but not in between.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int busy;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    pthread_mutex_lock(&guard);
    int *block = malloc(sizeof(int));
    *block = ++busy;
    free(block);
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&guard);
    return 0;
}
