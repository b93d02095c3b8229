//@ model: floorf ceilf truncf roundf rintf nearbyintf roundevenf lroundf llroundf lrintf llrintf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const float values[] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 1e15, 0.49999997};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        float v = values[i];
        printf("%g %g %g %g %g ", floorf(v), ceilf(v), truncf(v), roundf(v), rintf(v));
        printf("%g %g %ld %lld %ld %lld\n", nearbyintf(v), roundevenf(v), lroundf(v), llroundf(v), lrintf(v),
               llrintf(v));
    }
    return 0;
}
