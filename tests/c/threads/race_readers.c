//@ property: all verdict: safe
//@ run: gcc
// Reading together is no race; constants never race.
#include <assert.h>
#include <pthread.h>

static int x = 4;
static const int limit = 5;

static void *read(void *arg) {
    assert(x < limit);
    return (void *)"text";
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, read, 0);
    read(0);
    pthread_join(t, 0);
    return 0;
}
