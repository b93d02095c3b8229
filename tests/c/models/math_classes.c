//@ model: isnan __isnan isinf __isinf finite __finite __signbit __fpclassify
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>

int isnan(double), isinf(double), finite(double);
int __isnan(double), __isinf(double), __finite(double), __signbit(double), __fpclassify(double);

int main(void)
{
    volatile double zero = 0, one = 1;
    double values[] = {0, -zero, 1, -1, one / zero, -one / zero, zero / zero, one / 3};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%d %d %d %d ", (isnan)(v) != 0, __isnan(v) != 0, (isinf)(v) != 0, __isinf(v));
        printf("%d %d %d", finite(v) != 0, __finite(v) != 0, __fpclassify(v));
        /* The sign of a NaN that was computed is not specified. */
        printf(" %d\n", v == v ? __signbit(v) != 0 : 0);
    }
    return 0;
}
