//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 20
// An operand in a register is read and written back: an update in between is lost.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *work(void *arg) {
    asm volatile("" : "+r"(shared));
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    shared = 1;
    pthread_join(t, 0);
    assert(shared == 1);
    return 0;
}
