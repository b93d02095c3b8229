//@ property: all verdict: safe
//@ run: gcc
// Unsigned arithmetic is modulo 2^n in every width and is never an overflow.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    unsigned u = UINT_MAX;
    unsigned long ul = ULONG_MAX;
    uint8_t b = 0;
    uint16_t h = 65535;

    printf("%u %u %u\n", u + 1, 0u - 1, u * u);
    printf("%lu %lu %lu\n", ul + 1, 0ul - 1, ul * ul);
    printf("%u %u\n", -1u, -(unsigned)INT_MIN);
    b--;
    h++;
    printf("%d %d\n", b, h);
    b += 2;
    h -= 3;
    printf("%d %d\n", b, h);
    u = 0x80000000u;
    printf("%u %u\n", u << 1, u >> 31);
    printf("%u\n", 65537u * 65537u);
    printf("%llu\n", 0xfedcba9876543210ull * 0x123456789abcdefull);
    unsigned sum = 0;
    for (unsigned i = 0; i < 100000; i++)
        sum = sum * 31 + i;
    printf("%u\n", sum);
    unsigned mod = 7u - 10u;
    printf("%u %u\n", mod % 5, mod / 3);
    return 0;
}

//@ known: order all unknown(loop-bound)
