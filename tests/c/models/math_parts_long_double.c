//@ model: fabsl fmodl remainderl dreml fminl fmaxl fdiml copysignl nextafterl modfl frexpl ldexpl scalbnl scalblnl logbl ilogbl nanl
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const long double values[] = {0, -0.0, 1, -1.5, 10.25, 0.0078125, -1234.5};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long double v = values[i], whole;
        int exponent;
        printf("%g %g %g %g ", (double)fabsl(v), (double)fmodl(v, 3), (double)remainderl(v, 3), (double)dreml(v, -4));
        printf("%g %g %g %g ", (double)fminl(v, 1), (double)fmaxl(v, 1), (double)fdiml(v, 1), (double)copysignl(7, v));
        printf("%d ", nextafterl(v, 100) > v);
        long double rest = modfl(v, &whole);
        printf("%g %g ", (double)rest, (double)whole);
        long double fraction = frexpl(v, &exponent);
        printf("%g %d ", (double)fraction, exponent);
        printf("%g %g %g ", (double)ldexpl(v, 3), (double)scalbnl(v, -3), (double)scalblnl(v, 1));
        if (v != 0)
            printf("%g %d", (double)logbl(v), ilogbl(v));
        printf("\n");
    }
    long double n = nanl("");
    printf("%d %g %g\n", n != n, (double)fminl(n, 2), (double)fmaxl(2, n));
    return 0;
}
