//@ property: all verdict: safe
//@ run: gcc
// Increments of an atomic variable are never lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *arg) {
    counter++;
    atomic_fetch_add(&counter, 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(counter == 4);
    return 0;
}
