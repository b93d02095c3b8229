//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_once
// The routine runs once, and has run when pthread_once returns in any thread.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int runs;

static void init(void) {
    runs++;
}

static void *work(void *arg) {
    assert(pthread_once(&control, init) == 0);
    assert(runs == 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
