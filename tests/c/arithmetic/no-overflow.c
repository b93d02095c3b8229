//@ property: all verdict: safe
//@ run: gcc
// What looks like overflow and is none: narrow types, unsigned ones, conversions, pointers, limits exactly.
#include <limits.h>
#include <stdio.h>

int main(void) {
    short s = SHRT_MAX;
    s++;
    s = s * 2;
    signed char c = SCHAR_MIN;
    c--;
    c = -c;
    c -= 100;
    unsigned u = UINT_MAX;
    u++;
    u = -1u * 7;
    u += INT_MAX;
    unsigned long ul = ULONG_MAX * ULONG_MAX;
    printf("%d %d %u %lu\n", s, c, u, ul);
    int i = (int)3000000000u;
    long l = (int)(INT_MAX + 1u);
    printf("%d %ld\n", i, l);
    i = INT_MAX - 1;
    i++;
    i = i - INT_MAX + INT_MIN;
    i = -(i + 1);
    printf("%d %d %d\n", i, i / 2 * 2, INT_MIN % 10);
    i = INT_MIN;
    i /= 1;
    i = i + INT_MAX;
    printf("%d %d\n", i, i * INT_MAX);
    long long big = (long long)INT_MAX * INT_MAX + INT_MAX;
    printf("%lld\n", big);
    unsigned char b = 200;
    b += 100;
    b *= 3;
    b <<= 4;
    printf("%d\n", b);
    int even = ~INT_MAX;
    printf("%d %d\n", even, even >> 31);
    struct { int f : 4; } bits = {7};
    bits.f++;
    printf("%d\n", bits.f);
    char sum = 0;
    for (int k = 0; k < 1000; k++)
        sum += k;
    printf("%d\n", sum);
    return 0;
}
