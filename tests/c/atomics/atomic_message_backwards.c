//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 20
//@ property: deadlock,lock-misuse,memory verdict: safe
// The flag is set too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;
static void *send(void *arg) {
    ready = 1;
    data = 42;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, send, 0);
    if (ready)
        assert(data == 42);
    pthread_join(t, 0);
    return 0;
}
