//@ model: abs labs llabs imaxabs
//@ property: all verdict: safe
//@ run: gcc
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile int a = -5;
    volatile long b = -5000000;
    volatile long long c = -5000000000ll;
    printf("%d %d %ld %lld %jd\n", abs(a), abs(7), labs(b), llabs(c), imaxabs(c));
    return 0;
}
