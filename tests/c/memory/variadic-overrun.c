//@ property: out-of-bounds verdict: unsafe line: 10
// More va_arg than arguments.
#include <stdarg.h>

static int sum(int n, ...) {
    int s = 0;
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

int main(void) {
    if (sum(3, 1, 2, 3) != 6)
        return 1;
    return sum(3, 1, 2);
}
