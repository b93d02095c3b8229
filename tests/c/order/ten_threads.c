//@ property: assertion verdict: safe
// Whether the reads have a common order is not seen by rules that only follow from who reads from whom: each
// two-by-two part of the outcome is possible, the whole is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int a, b, c, d, e, f, g, h, i, j, k, l;

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
THREAD(t7, z = 1; g = x)
THREAD(t8, z = 2; h = x)
THREAD(t9, i = x; j = z)
THREAD(t10, k = x; l = z)

int main(void) {
    void *(*const bodies[10])(void *) = {t1, t2, t3, t4, t5, t6, t7, t8, t9, t10};
    pthread_t ids[10];
    for (int n = 0; n < 10; n++)
        pthread_create(&ids[n], 0, bodies[n], 0);
    for (int n = 0; n < 10; n++)
        pthread_join(ids[n], 0);
    assert(!(a == 1 && b == 1 && c == 2 && d == 2 && e == 2 && f == 1 && g == 2 && h == 2 && i == 1 && j == 2 &&
             k == 1 && l == 1));
    return 0;
}

//@ known: explicit assertion unknown(limit)
