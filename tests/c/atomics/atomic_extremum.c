//@ property: all verdict: safe
// The greater of two values, by two threads at once: atomic, so no race and nothing lost.
#include <assert.h>
#include <pthread.h>

static unsigned highest = 3;

static void *first(void *arg) {
    __sync_fetch_and_umax(&highest, 9u);
    return arg;
}
static void *second(void *arg) {
    __sync_fetch_and_umax(&highest, 7u);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(highest == 9);
    return 0;
}
