//@ property: all verdict: safe
// Floating division by zero is defined by IEEE 754: no integer is divided here.
#include <assert.h>

int main(void) {
    double zero = 0, one = 1;
    assert(one / zero > 1e308);
    assert(-one / zero < -1e308);
    assert(zero / zero != zero / zero);
    assert(1 / (one / zero) == 0);
    return 0;
}
