//@ property: signed-overflow verdict: unsafe line: 6
// -INT_MIN.
#include <limits.h>

static int absolute(int x) {
    return x < 0 ? -x : x;
}

int main(void) {
    absolute(-INT_MAX);
    absolute(INT_MIN);
    return 0;
}
