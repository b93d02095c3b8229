//@ model: floorl ceill truncl roundl rintl nearbyintl roundevenl lroundl llroundl lrintl llrintl
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const long double values[] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e15, 0.49999997};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        long double v = values[i];
        printf("%g %g %g %g %g ", (double)floorl(v), (double)ceill(v), (double)truncl(v), (double)roundl(v), (double)rintl(v));
        printf("%g %g %ld %lld %ld %lld\n", (double)nearbyintl(v), (double)roundevenl(v), lroundl(v), llroundl(v), lrintl(v),
               llrintl(v));
    }
    return 0;
}
