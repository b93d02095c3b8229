//@ property: all verdict: safe
//@ run: gcc
//@ model: pthread_self __pthread_self pthread_equal
// A thread's handle is the one its creator got, and it is there when the thread starts.
#include <assert.h>
#include <pthread.h>

static pthread_t t;
static pthread_t main_thread;

static void *check(void *arg) {
    assert(pthread_equal(t, pthread_self()));
    assert(!pthread_equal(main_thread, pthread_self()));
    return 0;
}

int main(void) {
    main_thread = pthread_self();
    assert(pthread_equal(main_thread, pthread_self()));
    pthread_create(&t, 0, check, 0);
    pthread_join(t, 0);
    return 0;
}
