//@ property: use-after-free verdict: unsafe
// The thread may use its argument after the function that owns it has returned.
#include <pthread.h>

static pthread_t t;

static void *increment(void *arg) {
    ++*(int *)arg;
    return 0;
}

static void start(void) {
    int local = 0;
    pthread_create(&t, 0, increment, &local);
}

int main(void) {
    start();
    pthread_join(t, 0);
    return 0;
}
