//@ property: assertion verdict: unsafe line: 19
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// The thread is about to fail anyway, but main can see its last write and fail before it does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int written;

static void *fail(void *arg) {
    written = 1;
    assert(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, fail, 0);
    assert(!written);
    return 0;
}
