//@ property: all verdict: safe
//@ run: gcc
// Integers to floating and back, within range: rounding, truncation, the upper half of unsigned types.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", (int)2.9, (int)-2.9, (int)-0.9, (int)1e9);
    printf("%u %u\n", (unsigned)4294967295.0, (unsigned)3e9f);
    printf("%lu %lu\n", (unsigned long)1.8e19, (unsigned long)9223372036854775808.0);
    printf("%ld\n", (long)-9223372036854775808.0);
    printf("%d %d\n", (signed char)-128.9, (unsigned char)255.9);
    printf("%d\n", (short)-32768.5);
    printf("%a %a\n", (double)ULONG_MAX, (double)LONG_MAX);
    printf("%a %a\n", (float)ULONG_MAX, (float)0xffffff7ffffffffful);
    printf("%a %a\n", (double)0x8000000000000401ul, (double)0x8000000000000400ul);
    printf("%a %a\n", (float)UINT_MAX, (float)INT_MIN);
    printf("%a\n", (double)(1l << 53 | 1));
    printf("%a\n", (float)16777219);
    printf("%a\n", (double)(unsigned char)300);
    printf("%d\n", (_Bool)0.1 + (_Bool)-0.0);
    long back = (long)(double)(1l << 62);
    printf("%ld\n", back);
    int truncated = 3.99f;
    unsigned long from_float = 1e10f;
    printf("%d %lu\n", truncated, from_float);
    __int128 wide = (__int128)1e30;
    printf("%lld %llu\n", (long long)(wide >> 64), (unsigned long long)wide);
    printf("%a %a\n", (double)wide, (double)-((__int128)1 << 100));
    printf("%a\n", (double)(unsigned __int128)-1);
    char c = 65.7;
    printf("%c %g\n", c, (double)c);
    return 0;
}
