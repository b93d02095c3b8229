//@ property: all verdict: safe
//@ run: gcc
//@ model: __braid_cleanup_push __braid_cleanup_pop
// A handler runs when it is popped, if asked for; handlers nest.
#include <assert.h>
#include <pthread.h>

static int log[4];
static int count;

static void note(void *arg) {
    log[count++] = *(int *)arg;
}

int main(void) {
    int one = 1, two = 2, three = 3;
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    pthread_cleanup_push(note, &three);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    assert(count == 2 && log[0] == 3 && log[1] == 1);
    return 0;
}
