//@ property: assertion verdict: unsafe
// One half of order/ten_threads.c alone is possible: x becomes 2 before it becomes 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c, d, e, f;

#define THREAD(name, code) \
    static void *name(void *unused) { \
        (void)unused; \
        code; \
        return 0; \
    }

THREAD(t1, x = 1)
THREAD(t2, x = 2)
THREAD(t3, y = 1; a = x)
THREAD(t4, y = 2; b = x)
THREAD(t5, c = x; d = y)
THREAD(t6, e = x; f = y)

int main(void) {
    void *(*const bodies[6])(void *) = {t1, t2, t3, t4, t5, t6};
    pthread_t ids[6];
    for (int n = 0; n < 6; n++)
        pthread_create(&ids[n], 0, bodies[n], 0);
    for (int n = 0; n < 6; n++)
        pthread_join(ids[n], 0);
    assert(!(a == 1 && b == 1 && c == 2 && d == 2 && e == 2 && f == 1));
    return 0;
}
