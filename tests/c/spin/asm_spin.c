//@ property: all verdict: safe
//@ property: assertion,data-race verdict: safe
//@ run: gcc
// A spin lock as it is written by hand: it pauses while it waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int count;

static void *work(void *arg) {
    while (atomic_exchange(&lock, 1))
        __asm__ volatile("pause" ::: "memory");
    count++;
    atomic_store(&lock, 0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(count == 2);
    return 0;
}
