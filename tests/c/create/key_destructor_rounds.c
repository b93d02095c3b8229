//@ property: all verdict: safe
//@ run: gcc
// A destructor that stores a value again is called again, but only so often.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int calls;

static void again(void *value) {
    calls++;
    pthread_setspecific(key, value);
}

static void *work(void *arg) {
    pthread_setspecific(key, &calls);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, again);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
    return 0;
}
