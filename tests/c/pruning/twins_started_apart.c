//@ property: assertion verdict: unsafe line: 26
//@ property: deadlock verdict: safe
// Between the starts of two equal threads their parent does something: the first may have seen less.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage, seen;

static void *work(void *arg) {
    int now = stage;
    atomic_fetch_add(&seen, now == 0 ? 1 : 16);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    stage = 1;
    pthread_create(&b, 0, work, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
    int all = seen;
    assert(all == 17 || all == 32);
    // The first one may have been early.
    assert(all != 17);
    return 0;
}
