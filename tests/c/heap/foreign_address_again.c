//@ property: assertion verdict: unsafe line: 22
// A block that only its thread touched is gone; another thread compares its address with that of a new one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *left;

static void *come_and_go(void *arg) {
    int *block = malloc(sizeof *block);
    free(block);
    left = block;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, come_and_go, 0);
    pthread_join(thread, 0);
    int *new = malloc(sizeof *new);

    assert(left != new);
    return 0;
}

//@ known: order assertion unknown(addresses)
