//@ property: all verdict: safe
// Under sequential consistency one of the threads sees the other's write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void *other(void *arg) {
    y = 1;
    r2 = x;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;
    r1 = y;
    pthread_join(t, 0);
    assert(r1 == 1 || r2 == 1);
    return 0;
}
