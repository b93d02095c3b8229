//@ property: data-race verdict: unsafe
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Nobody waits for a detached thread.
#include <pthread.h>

static int x;

static void *work(void *arg) {
    pthread_detach(pthread_self());
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x = 2;
    return 0;
}
