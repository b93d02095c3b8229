//@ property: all verdict: safe
//@ run: gcc
// Each thread has its own instance, with the initial value; errno is one of them.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static __thread int a = 3;
static _Thread_local int b;

static void *work(void *arg) {
    assert(a == 3 && b == 0 && errno == 0);
    a++;
    b--;
    errno = 7;
    assert(a == 4 && b == -1);
    return 0;
}

int main(void) {
    pthread_t t;
    errno = 5;
    a = 10;
    pthread_create(&t, 0, work, 0);
    b = 20;
    pthread_join(t, 0);
    assert(a == 10 && b == 20 && errno == 5);
    return 0;
}
