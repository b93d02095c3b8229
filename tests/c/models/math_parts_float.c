//@ model: fabsf fmodf remainderf dremf fminf fmaxf fdimf copysignf nextafterf modff frexpf ldexpf scalbnf scalblnf logbf ilogbf nanf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const float values[] = {0, -0.0, 1, -1.5, 10.25, 0.0078125, -1234.5};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        float v = values[i], whole;
        int exponent;
        printf("%g %g %g %g ", fabsf(v), fmodf(v, 3), remainderf(v, 3), dremf(v, -4));
        printf("%g %g %g %g ", fminf(v, 1), fmaxf(v, 1), fdimf(v, 1), copysignf(7, v));
        printf("%d ", nextafterf(v, 100) > v);
        float rest = modff(v, &whole);
        printf("%g %g ", rest, whole);
        float fraction = frexpf(v, &exponent);
        printf("%g %d ", fraction, exponent);
        printf("%g %g %g ", ldexpf(v, 3), scalbnf(v, -3), scalblnf(v, 1));
        if (v != 0)
            printf("%g %d", logbf(v), ilogbf(v));
        printf("\n");
    }
    float n = nanf("");
    printf("%d %g %g\n", n != n, fminf(n, 2), fmaxf(2, n));
    return 0;
}
