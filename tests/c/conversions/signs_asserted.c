//@ property: all verdict: safe
// Signs survive comparison and extension.
#include <assert.h>

int main(void) {
    int x = -5;
    signed char small = (signed char)x;
    long wide = small;
    assert(x < 3);
    assert(wide == -5);
    assert(small < wide + 1);
    return 0;
}
