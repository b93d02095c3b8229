//@ model: expf exp2f expm1f logf log2f log10f log1pf powf sqrtf cbrtf hypotf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const float values[] = {0.25, 0.5, 1, 2, 3, 10};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        float v = values[i];
        printf("%.6g %.6g %.6g ", expf(v), exp2f(v), expm1f(v));
        printf("%.6g %.6g %.6g %.6g ", logf(v), log2f(v), log10f(v), log1pf(v));
        printf("%.6g %.6g ", powf(v, 3), powf(v, -0.5));
        printf("%.6g %.6g %.6g\n", sqrtf(v), cbrtf(v), hypotf(v, 4));
    }
    volatile float minus = -1, zero = 0;
    errno = 0;
    printf("%d ", sqrtf(minus) != sqrtf(minus));
    printf("%d ", errno == EDOM);
    errno = 0;
    printf("%d ", logf(zero) < -1e30);
    printf("%d ", errno == ERANGE);
    errno = 0;
    printf("%d ", powf(minus, 0.5) == 0);
    printf("%d\n", errno == EDOM);
    return 0;
}

//@ known: order all unknown(unsupported)
