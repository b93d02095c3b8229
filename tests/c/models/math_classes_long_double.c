//@ model: isnanl __isnanl isinfl __isinfl finitel __finitel __signbitl __fpclassifyl
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>

int isnanl(long double), isinfl(long double), finitel(long double);
int __isnanl(long double), __isinfl(long double), __finitel(long double), __signbitl(long double), __fpclassifyl(long double);

int main(void)
{
    volatile long double zero = 0, one = 1;
    long double values[] = {0, -zero, 1, -1, one / zero, -one / zero, zero / zero, one / 3};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long double v = values[i];
        printf("%d %d %d %d ", (isnanl)(v) != 0, __isnanl(v) != 0, (isinfl)(v) != 0, __isinfl(v));
        printf("%d %d %d", finitel(v) != 0, __finitel(v) != 0, __fpclassifyl(v));
        /* The sign of a NaN that was computed is not specified. */
        printf(" %d\n", v == v ? __signbitl(v) != 0 : 0);
    }
    return 0;
}
