//@ property: thread-misuse verdict: unsafe line: 13
// The thread was never started: its handle is zero.
#include <pthread.h>

static pthread_t t;
static int wanted;

static void *work(void *arg) { return arg; }

int main(void) {
    if (wanted)
        pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
