//@ property: all verdict: safe
// The counterpart: whoever sees y = 1 sees a write of x.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static atomic_int c;
static int rx, ry;

static void *writer(void *unused) {
    (void)unused;
    x = 1;
    if (c)
        x = 2;
    y = 1;
    return 0;
}

static void *reader(void *unused) {
    (void)unused;
    ry = y;
    rx = x;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, writer, 0), pthread_create(&t2, 0, reader, 0);
    pthread_join(t1, 0), pthread_join(t2, 0);
    assert(!(ry == 1 && rx == 0));
    return 0;
}
