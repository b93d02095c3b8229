//@ model: fabs fmod remainder drem fmin fmax fdim copysign nextafter modf frexp ldexp scalbn scalbln logb ilogb nan
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0, -0.0, 1, -1.5, 10.25, 0.0078125, -1234.5};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i], whole;
        int exponent;
        printf("%g %g %g %g ", fabs(v), fmod(v, 3), remainder(v, 3), drem(v, -4));
        printf("%g %g %g %g ", fmin(v, 1), fmax(v, 1), fdim(v, 1), copysign(7, v));
        printf("%d ", nextafter(v, 100) > v);
        double rest = modf(v, &whole);
        printf("%g %g ", rest, whole);
        double fraction = frexp(v, &exponent);
        printf("%g %d ", fraction, exponent);
        printf("%g %g %g ", ldexp(v, 3), scalbn(v, -3), scalbln(v, 1));
        if (v != 0)
            printf("%g %d", logb(v), ilogb(v));
        printf("\n");
    }
    double n = nan("");
    printf("%d %g %g\n", n != n, fmin(n, 2), fmax(2, n));
    return 0;
}
