//@ property: assertion,deadlock,memory verdict: safe
//@ property: data-race verdict: unsafe
//@ warning: 12 atomic-member
//@ warning: 19 atomic-member
// A bit-field of an atomic structure is no atomic access, in gcc either.
#include <pthread.h>

struct bits { int low : 4, high : 4; };
static _Atomic struct bits bits;

static void *writer(void *unused) {
    bits.low = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int seen = bits.low;
    pthread_join(thread, 0);
    return seen & 0;
}
