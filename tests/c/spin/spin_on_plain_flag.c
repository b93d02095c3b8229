//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// A thread that spins on a plain flag races with its writer.
#include <pthread.h>

static int stop;

static void *work(void *arg) {
    while (!stop)
        ;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    stop = 1;
    pthread_join(t, 0);
    return 0;
}
