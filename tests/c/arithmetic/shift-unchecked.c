//@ property: memory,assertion,signed-overflow verdict: safe
//@ property: shift verdict: unsafe line: 9
// Unchecked, a count is taken modulo the width.
#include <assert.h>

int main(void) {
    volatile unsigned one = 1;
    volatile int count = 33;
    unsigned r = one << count;
    assert(r == 2);
    volatile int minus = -1;
    r = 0x80000000u >> minus;
    assert(r == 1);
    volatile long wide = 65;
    assert(1ul << wide == 2);
    return 0;
}
