//@ property: all verdict: safe
//@ run: gcc
// An operand in memory is not accessed by a text that does nothing.
#include <assert.h>
#include <pthread.h>

static int shared;

static void *work(void *arg) {
    asm volatile("" : "+m"(shared));
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
