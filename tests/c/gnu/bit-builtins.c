//@ property: all verdict: safe
//@ run: gcc
// Counting and swapping bits.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    unsigned values[] = {1, 2, 0x80000000, 0xffffffff, 0x00f0, 12345678};
    for (int i = 0; i < 6; i++) {
        unsigned v = values[i];
        printf("%d %d %d %d %d\n", __builtin_popcount(v), __builtin_clz(v), __builtin_ctz(v), __builtin_ffs(v), __builtin_parity(v));
    }
    unsigned long long w = 0x0010000000000000;
    printf("%d %d %d %d\n", __builtin_popcountll(w), __builtin_clzll(w), __builtin_ctzll(w), __builtin_ffsll(w));
    printf("%d %d %d\n", __builtin_popcountl(-1l), __builtin_clzl(1), __builtin_ctzl(1l << 40));
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%d %d %d\n", __builtin_clrsb(0), __builtin_clrsb(-1), __builtin_clrsb(100));
    printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x0123456789abcdef));
    printf("%d\n", __builtin_popcount((unsigned char)-1));
    _Static_assert(__builtin_popcount(255) == 8, "folded");
    static int folded = __builtin_clz(1) + __builtin_ctz(8);
    printf("%d\n", folded);
    return 0;
}
