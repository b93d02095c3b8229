//@ property: all verdict: safe
//@ property: data-race verdict: unsafe line: 15
//@ bounds: unwind 1 rounds 2 in main/2,main/1,main
// In the second round the first thread comes to its write, and after that 'main' starts the second one: neither has a turn
// left when both stand before their writes.
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int go, ready;

static void *first(void *arg) {
    go = 1;
    ready = 1;
    x = 1;
    return arg;
}

static void *second(void *arg) {
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    if (ready) {
        pthread_create(&b, 0, second, 0);
        pthread_join(b, 0);
    }
    pthread_join(a, 0);
    return 0;
}
