//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 17
// Without the join main does not know whether the thread has run.
#include <assert.h>
#include <pthread.h>

static int x;

static void *set(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    assert(x == 1);
    pthread_join(t, 0);
    return 0;
}
