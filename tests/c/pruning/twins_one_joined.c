//@ property: assertion verdict: unsafe line: 27
// Only one of two equal threads is joined; the one that is not may be the first.
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

int main(int argc, char **argv) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    if (came == 3)
        pthread_join(b, 0);
    if (quick) {
        int early = slow;
        // The other one came first, and may not have done its work.
        assert(early);
    }
    return 0;
}
