//@ property: assertion verdict: unsafe line: 33
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Three loops through finitely many states. The search comes back to states while they are still being
// explored; one that was left with a thread asleep must be looked at again when that thread is awake.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int idle, turns, stop;

static void *stops(void *arg) {
    for (;;) {
        turns ^= 1;
        stop = 1;
    }
    return 0;
}

static void *idles(void *arg) {
    for (;;) {
        turns ^= 1;
        idle = 0;
    }
    return 0;
}

int main(void) {
    pthread_t s, i;
    pthread_create(&s, 0, stops, 0);
    pthread_create(&i, 0, idles, 0);
    while (!stop)
        idle = 0;
    assert(0);
    return 0;
}

//@ known: order memory,data-race,deadlock,lock-misuse unknown(loop-bound)
