//@ property: memory-cleanup verdict: unsafe line: 14
//@ property: memory-leak,assertion,data-race,deadlock,memory verdict: safe
// A thread leaves its block to a consumer that takes only one of two.
#include <pthread.h>
#include <stdlib.h>

static int *slots[2];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void *producer(void *argument) {
    int which = *(int *)argument;
    pthread_mutex_lock(&guard);
    slots[which] = malloc(sizeof(int));
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(void) {
    static int numbers[2] = {0, 1};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, producer, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    free(slots[0]);
    slots[0] = 0;
    taken = 1;
    return 0;
}

//@ known: order memory-leak unknown(may-be-lost)
