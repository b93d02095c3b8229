//@ property: all verdict: safe
//@ run: gcc
// The type of a shift is that of its promoted left operand; the right one only counts.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int8_t b = -128;
    uint8_t u = 0x80;
    int n = -17;
    long long wide = -1;
    printf("%d %d\n", b >> 3, u >> 3);
    printf("%d\n", u << 8);
    printf("%d %d %d\n", n >> 1, n >> 4, n >> 31);
    printf("%u %u\n", (unsigned)n >> 4, (unsigned)n >> 31);
    printf("%lld %llu\n", wide >> 63, (unsigned long long)wide >> 63);
    printf("%lld\n", 1ll << 62);
    printf("%u\n", 1u << 31);
    printf("%zu %zu\n", sizeof(1 << 40l), sizeof(1l << 4));
    u <<= 1;
    printf("%d\n", u);
    uint16_t h = 0xffff;
    h >>= 4;
    h <<= 8;
    printf("%#x\n", h);
    unsigned char amount = 5;
    printf("%d %d\n", 1 << amount, 1000 >> amount);
    uint32_t x = 0x12345678;
    for (int r = 0; r < 32; r += 7)
        printf("%08x ", r ? x << r | x >> (32 - r) : x);
    puts("");
    for (unsigned long bit = 1; bit; bit <<= 9)
        printf("%lx ", bit);
    puts("");
    return 0;
}
