//@ property: assertion verdict: unsafe line: 27
//@ property: data-race,deadlock verdict: safe
// When one of two equal threads has been joined, it matters which of them came first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int came, slow, quick;

static void *work(void *arg) {
    if (atomic_fetch_add(&came, 1) == 0)
        slow = 1;
    else
        quick = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    int q = quick, s = slow;
    if (q) {
        // The other one has come first, and may not have done its work.
        int early = s;
        assert(early);
    }
    pthread_join(b, 0);
    return 0;
}
