//@ model: div ldiv lldiv imaxdiv
//@ property: all verdict: safe
//@ run: gcc
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile int minus = -7;
    div_t a = div(minus, 2);
    ldiv_t b = ldiv(7, -2);
    lldiv_t c = lldiv(10000000000ll, 3);
    imaxdiv_t d = imaxdiv(-1, 5);
    printf("%d %d, %ld %ld, %lld %lld, %jd %jd\n", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem, d.quot, d.rem);
    return 0;
}
