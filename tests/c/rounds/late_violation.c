//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 9
//@ bounds: unwind 1 rounds 2 in reverse
// A step that violates a property takes a turn, and so does the end of a thread that does nothing else.
#include <assert.h>
#include <pthread.h>

static void *thread(void *arg) {
    assert(arg);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}
