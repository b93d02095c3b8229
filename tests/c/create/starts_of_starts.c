//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 22
// Nothing but the starts themselves orders the threads: a schedule names each before the threads that it starts.
#include <assert.h>
#include <pthread.h>

static void *leaf(void *arg) {
    return arg;
}

static void *inner(void *arg) {
    pthread_t t;
    pthread_create(&t, 0, leaf, 0);
    return arg;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, inner, 0);
    pthread_create(&b, 0, leaf, 0);
    pthread_create(&c, 0, inner, 0);
    assert(0);
    return 0;
}
