//@ property: all verdict: safe
//@ run: gcc
// Every shift within its rules.
#include <limits.h>
#include <stdio.h>

int main(void) {
    printf("%d %d\n", 1 << 30, INT_MAX >> 30);
    printf("%d %d\n", 0 << 31, -1 >> 31);
    printf("%u %u\n", 1u << 31, ~0u << 16);
    printf("%ld %lu\n", 1l << 62, 1ul << 63);
    unsigned char c = 0xff, count = 7;
    printf("%d %d\n", c << 23, c >> count);
    c <<= 7;
    printf("%d\n", c);
    short s = -1;
    printf("%d\n", s >> 15);
    unsigned long long n = 64;
    printf("%llu\n", n >> 63 | 1ull << (n - 1));
    int x = 0x3fffffff;
    printf("%d\n", x << 1);
    __int128 w = (__int128)1 << 126;
    printf("%d\n", (int)(w >> 120));
    for (int i = 0; i < 31; i += 10)
        printf("%d ", 1 << i);
    puts("");
    return 0;
}
