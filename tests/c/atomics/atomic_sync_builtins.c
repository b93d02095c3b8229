//@ property: all verdict: safe
//@ run: gcc
// The older builtins: a test-and-set lock and a counter.
#include <assert.h>
#include <pthread.h>

static int lock, x, n;

static void *add(void *arg) {
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    x++;
    __sync_lock_release(&lock);
    __sync_add_and_fetch(&n, 1);
    __sync_synchronize();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2 && n == 2);
    return 0;
}
