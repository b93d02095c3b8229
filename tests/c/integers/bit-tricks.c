//@ property: all verdict: safe
//@ run: gcc
// Bit manipulation as found in real code.
#include <stdint.h>
#include <stdio.h>

static uint32_t reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

static int count(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static uint32_t crc32(const char *text) {
    uint32_t crc = ~0u;
    while (*text) {
        crc ^= (uint8_t)*text++;
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

static uint64_t isqrt(uint64_t n) {
    uint64_t root = 0;
    for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
        if ((root | bit) * (root | bit) <= n)
            root |= bit;
    return root;
}

int main(void) {
    printf("%08x %08x\n", reverse(1), reverse(0x12345678));
    printf("%d %d\n", count(0), count(0xf0f0f0f0f0f0f0f1));
    printf("%08x %08x\n", crc32("123456789"), crc32(""));
    printf("%lu %lu\n", isqrt(1000000), isqrt(~0ull));
    uint32_t x = 1;
    for (int i = 0; i < 1000; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    printf("%u\n", x);
    int v = -20, sign = v >> 31;
    printf("%d %u\n", (v ^ sign) - sign, -5 & 7u);
    printf("%d\n", (0xff & ~0x0f) == 0xf0);
    return 0;
}
