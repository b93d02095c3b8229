//@ property: lock-misuse verdict: unsafe line: 12
//@ property: invalid-free verdict: unsafe line: 24
// Two threads go wrong, each before or after the other; a question about one stops the other in time.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *heap, a, y;

void *t0(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        y = a;
    }
    *heap = 2;
    return 0;
}

int main(void) {
    heap = malloc(sizeof *heap);
    if (!heap) return 0;
    pthread_t t;
    pthread_create(&t, 0, t0, 0);
    for (int i = 0; i < 2; i++) free(heap);
    return 0;
}
