//@ property: signed-overflow verdict: unsafe line: 6
// long - long below LONG_MIN.
#include <limits.h>

static long distance(long a, long b) {
    return a - b;
}

int main(void) {
    distance(LONG_MIN, -1);
    distance(-1, LONG_MAX);
    distance(-2, LONG_MAX);
    return 0;
}
