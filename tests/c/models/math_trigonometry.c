//@ model: sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh atanh
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0, 0.25, -0.5, 1, 0.9375, -0.0625};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i], s, c;
        printf("%.6g %.6g %.6g ", sin(v), cos(v), tan(v));
        printf("%.6g %.6g %.6g %.6g ", asin(v), acos(v), atan(v), atan2(v, 2));
        printf("%.6g %.6g %.6g ", sinh(v), cosh(v), tanh(v));
        printf("%.6g %.6g %.6g ", asinh(v), acosh(v + 2), atanh(v / 2));
        sincos(v, &s, &c);
        printf("%.6g %.6g\n", s, c);
    }
    return 0;
}

//@ known: order all unknown(unsupported)
