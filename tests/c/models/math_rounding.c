//@ model: floor ceil trunc round rint nearbyint roundeven lround llround lrint llrint
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e15, 0.49999997};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%g %g %g %g %g ", floor(v), ceil(v), trunc(v), round(v), rint(v));
        printf("%g %g %ld %lld %ld %lld\n", nearbyint(v), roundeven(v), lround(v), llround(v), lrint(v),
               llrint(v));
    }
    return 0;
}
