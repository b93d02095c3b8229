//@ property: data-race verdict: unsafe
//@ property: use-after-free verdict: unsafe
// Freeing counts as writing.
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *work(void *arg) {
    return *p ? p : 0;
}

int main(void) {
    pthread_t t;
    p = calloc(1, sizeof *p);
    pthread_create(&t, 0, work, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
