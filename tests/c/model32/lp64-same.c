//@ property: all verdict: safe
//@ flags: --64
// The default model, stated: the sums and shifts that overflow under ILP32 are fine.
#include <assert.h>

static long add(long a, long b) { return a + b; }

int main(void) {
    long big = 2000000000;
    int count = 32;
    assert(add(big, big) == 4000000000);
    assert(1ul << count == 4294967296);
    assert(sizeof(long) == 8 && sizeof(void *) == 8);
    return 0;
}
