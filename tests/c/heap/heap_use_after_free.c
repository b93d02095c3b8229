//@ property: use-after-free verdict: unsafe line: 7
// The creator frees what the thread still uses.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    ++*(int *)arg;
    return 0;
}

int main(void) {
    pthread_t t;
    int *n = calloc(1, sizeof *n);
    pthread_create(&t, 0, work, n);
    free(n);
    pthread_join(t, 0);
    return 0;
}
