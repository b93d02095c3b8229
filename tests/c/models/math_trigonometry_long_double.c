//@ model: sinl cosl tanl sincosl asinl acosl atanl atan2l sinhl coshl tanhl asinhl acoshl atanhl
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const long double values[] = {0, 0.25, -0.5, 1, 0.9375, -0.0625};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long double v = values[i], s, c;
        printf("%.6g %.6g %.6g ", (double)sinl(v), (double)cosl(v), (double)tanl(v));
        printf("%.6g %.6g %.6g %.6g ", (double)asinl(v), (double)acosl(v), (double)atanl(v), (double)atan2l(v, 2));
        printf("%.6g %.6g %.6g ", (double)sinhl(v), (double)coshl(v), (double)tanhl(v));
        printf("%.6g %.6g %.6g ", (double)asinhl(v), (double)acoshl(v + 2), (double)atanhl(v / 2));
        sincosl(v, &s, &c);
        printf("%.6g %.6g\n", (double)s, (double)c);
    }
    return 0;
}

//@ known: order all unknown(unsupported)
