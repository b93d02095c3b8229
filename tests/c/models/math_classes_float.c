//@ model: isnanf __isnanf isinff __isinff finitef __finitef __signbitf __fpclassifyf
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>

int isnanf(float), isinff(float), finitef(float);
int __isnanf(float), __isinff(float), __finitef(float), __signbitf(float), __fpclassifyf(float);

int main(void)
{
    volatile float zero = 0, one = 1;
    float values[] = {0, -zero, 1, -1, one / zero, -one / zero, zero / zero, one / 3};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        float v = values[i];
        printf("%d %d %d %d ", (isnanf)(v) != 0, __isnanf(v) != 0, (isinff)(v) != 0, __isinff(v));
        printf("%d %d %d", finitef(v) != 0, __finitef(v) != 0, __fpclassifyf(v));
        /* The sign of a NaN that was computed is not specified. */
        printf(" %d\n", v == v ? __signbitf(v) != 0 : 0);
    }
    return 0;
}
