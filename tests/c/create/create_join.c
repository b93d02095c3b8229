//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_create pthread_join
// A thread gets its argument, and its value comes back by the join.
#include <assert.h>
#include <pthread.h>

static int input = 20;

static void *twice(void *arg) {
    int *n = arg;
    *n *= 2;
    return n;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    assert(pthread_create(&t, 0, twice, &input) == 0);
    assert(pthread_join(t, &result) == 0);
    assert(result == &input && input == 40);
    return 0;
}
