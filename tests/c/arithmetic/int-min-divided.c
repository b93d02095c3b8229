//@ property: division-by-zero,shift verdict: safe
//@ property: signed-overflow verdict: unsafe line: 7
// INT_MIN / -1 has no result in int.
#include <limits.h>

static int divide(int a, int b) {
    return a / b;
}

int main(void) {
    divide(INT_MIN, 2);
    divide(INT_MIN + 1, -1);
    divide(INT_MIN, -1);
    return 0;
}
