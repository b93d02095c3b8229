//@ property: invalid-free verdict: unsafe
// Check and act are two steps, and both threads free.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic p;

static void *release(void *arg) {
    if (p) {
        free(p);
        p = 0;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    p = malloc(4);
    pthread_create(&t, 0, release, 0);
    release(0);
    pthread_join(t, 0);
    return 0;
}
