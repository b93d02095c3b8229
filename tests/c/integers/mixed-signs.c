//@ property: all verdict: safe
//@ run: gcc
// The usual arithmetic conversions where signed meets unsigned.
#include <stdio.h>

int main(void) {
    int minus = -1;
    unsigned one = 1;
    long wide = -1;
    unsigned char small = 200;
    unsigned long ul = 5;

    printf("%d %d\n", minus < one, minus > one);
    printf("%d %d\n", wide < one, wide > one);
    printf("%d\n", minus < small);
    printf("%d\n", minus < ul);
    printf("%d %d\n", sizeof(int) > -1, (int)sizeof(int) > -1);
    printf("%u\n", minus / 2u);
    printf("%d\n", minus / 2);
    printf("%lu\n", -7 % ul);
    printf("%ld\n", -7 % 5l);
    printf("%ld\n", minus + (long)one - 5);
    printf("%u\n", minus + one - 5);
    printf("%lu\n", (unsigned long)minus);
    printf("%lu\n", (unsigned long)(unsigned)minus);
    printf("%d\n", (minus ? minus : one) > 0);
    printf("%d\n", -1L < 1U);
    printf("%d\n", -1 == 4294967295u);
    printf("%d\n", -1LL == 4294967295u);
    printf("%d\n", (short)-1 == (unsigned short)-1);
    long long x = one - 2;
    printf("%lld\n", x);
    x = (int)(one - 2);
    printf("%lld\n", x);
    return 0;
}
