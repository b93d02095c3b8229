//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
// The same object by an ordinary pointer: that access is not atomic.
#include <pthread.h>
#include <stdatomic.h>

struct wide { long a, b, c; };
static _Atomic struct wide shared;

static void *writer(void *arg) {
    struct wide w = {1, 1, 1};
    shared = w;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    long c = ((struct wide *)&shared)->c;
    pthread_join(t, 0);
    return c > 1;
}
