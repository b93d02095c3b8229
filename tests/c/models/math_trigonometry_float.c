//@ model: sinf cosf tanf sincosf asinf acosf atanf atan2f sinhf coshf tanhf asinhf acoshf atanhf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const float values[] = {0, 0.25, -0.5, 1, 0.9375, -0.0625};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        float v = values[i], s, c;
        printf("%.6g %.6g %.6g ", sinf(v), cosf(v), tanf(v));
        printf("%.6g %.6g %.6g %.6g ", asinf(v), acosf(v), atanf(v), atan2f(v, 2));
        printf("%.6g %.6g %.6g ", sinhf(v), coshf(v), tanhf(v));
        printf("%.6g %.6g %.6g ", asinhf(v), acoshf(v + 2), atanhf(v / 2));
        sincosf(v, &s, &c);
        printf("%.6g %.6g\n", s, c);
    }
    return 0;
}

//@ known: order all unknown(unsupported)
