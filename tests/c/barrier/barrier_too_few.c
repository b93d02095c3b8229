//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two threads for a barrier of three.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
    pthread_barrier_wait(&barrier);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&barrier, 0, 3);
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
