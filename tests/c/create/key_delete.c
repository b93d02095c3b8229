//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_key_delete
// Deleting a key forgets its values; destructors do not run.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int value;

static void never(void *arg) {
    assert(0);
}

static void *work(void *arg) {
    pthread_key_t key, other;
    pthread_key_create(&key, never);
    pthread_setspecific(key, &value);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_key_delete(key) == EINVAL);
    assert(pthread_setspecific(key, &value) == EINVAL);
    pthread_key_create(&other, 0);
    assert(pthread_getspecific(other) == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
