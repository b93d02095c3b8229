//@ property: memory,division-by-zero,assertion verdict: safe
//@ property: signed-overflow verdict: unsafe line: 9
// Overflow happens; when it is not checked the result wraps, so the assertions hold.
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile int max = INT_MAX, min = INT_MIN, big = 65536;
    int r = max + 1;
    assert(r == INT_MIN);
    r = min - 1;
    assert(r == INT_MAX);
    r = big * big;
    assert(r == 0);
    r = -min;
    assert(r == INT_MIN);
    volatile long long wide = LLONG_MAX;
    wide++;
    assert(wide == LLONG_MIN);
    return 0;
}
