//@ model: expl exp2l expm1l logl log2l log10l log1pl powl sqrtl cbrtl hypotl
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const long double values[] = {0.25, 0.5, 1, 2, 3, 10};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long double v = values[i];
        printf("%.6g %.6g %.6g ", (double)expl(v), (double)exp2l(v), (double)expm1l(v));
        printf("%.6g %.6g %.6g %.6g ", (double)logl(v), (double)log2l(v), (double)log10l(v), (double)log1pl(v));
        printf("%.6g %.6g ", (double)powl(v, 3), (double)powl(v, -0.5));
        printf("%.6g %.6g %.6g\n", (double)sqrtl(v), (double)cbrtl(v), (double)hypotl(v, 4));
    }
    volatile long double minus = -1, zero = 0;
    errno = 0;
    printf("%d ", sqrtl(minus) != sqrtl(minus));
    printf("%d ", errno == EDOM);
    errno = 0;
    printf("%d ", logl(zero) < -1e30);
    printf("%d ", errno == ERANGE);
    errno = 0;
    printf("%d ", powl(minus, 0.5) == 0);
    printf("%d\n", errno == EDOM);
    return 0;
}

//@ known: order all unknown(unsupported)
