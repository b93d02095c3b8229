//@ model: exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0.25, 0.5, 1, 2, 3, 10};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%.6g %.6g %.6g ", exp(v), exp2(v), expm1(v));
        printf("%.6g %.6g %.6g %.6g ", log(v), log2(v), log10(v), log1p(v));
        printf("%.6g %.6g ", pow(v, 3), pow(v, -0.5));
        printf("%.6g %.6g %.6g\n", sqrt(v), cbrt(v), hypot(v, 4));
    }
    volatile double minus = -1, zero = 0;
    errno = 0;
    printf("%d ", sqrt(minus) != sqrt(minus));
    printf("%d ", errno == EDOM);
    errno = 0;
    printf("%d ", log(zero) < -1e30);
    printf("%d ", errno == ERANGE);
    errno = 0;
    printf("%d ", pow(minus, 0.5) == 0);
    printf("%d\n", errno == EDOM);
    return 0;
}

//@ known: order all unknown(unsupported)
