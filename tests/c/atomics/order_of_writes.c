//@ property: assertion verdict: unsafe
// A part of order/ten_threads.c alone is possible: x becomes 2 before it becomes 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, e, f;

#define THREAD(name, code) \
    static void *name(void *unused) { \
        (void)unused; \
        code; \
        return 0; \
    }

THREAD(t1, x = 1)
THREAD(t2, x = 2)
THREAD(t3, y = 1; a = x)
THREAD(t6, e = x; f = y)

int main(void) {
    void *(*const bodies[4])(void *) = {t1, t2, t3, t6};
    pthread_t ids[4];
    for (int n = 0; n < 4; n++)
        pthread_create(&ids[n], 0, bodies[n], 0);
    for (int n = 0; n < 4; n++)
        pthread_join(ids[n], 0);
    assert(!(a == 1 && e == 2 && f == 1));
    return 0;
}
