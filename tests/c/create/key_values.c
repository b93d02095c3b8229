//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_key_create pthread_getspecific pthread_setspecific
// Each thread has its own value of a key, null at first.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_key_t key;
static int a, b;

static void *work(void *arg) {
    assert(pthread_getspecific(key) == 0);
    assert(pthread_setspecific(key, &b) == 0);
    assert(pthread_getspecific(key) == &b);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_key_create(&key, 0) == 0);
    assert(pthread_setspecific(key, &a) == 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == &a);
    assert(pthread_setspecific(99999, &a) == EINVAL);
    return 0;
}
