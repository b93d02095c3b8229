//@ property: all verdict: safe
//@ run: gcc
// Reading another member reinterprets the bytes.
#include <stdint.h>
#include <stdio.h>

union word {
    uint64_t u64;
    int64_t i64;
    uint32_t u32[2];
    uint16_t u16[4];
    uint8_t u8[8];
    double d;
    struct { uint32_t low; int32_t high; } parts;
};

int main(void) {
    union word w = {.u64 = 0xfedcba9876543210};
    printf("%x %x\n", w.u32[0], w.u32[1]);
    for (int i = 0; i < 4; i++)
        printf("%x ", w.u16[i]);
    for (int i = 0; i < 8; i++)
        printf("%02x", w.u8[i]);
    printf("\n%ld %x %d\n", w.i64, w.parts.low, w.parts.high);
    w.u8[7] = 0x3f;
    w.u16[2] = 0;
    printf("%lx\n", w.u64);
    w.d = -1.5;
    printf("%lx %d\n", w.u64, w.parts.high < 0);
    w.u32[1] ^= 0x80000000;
    printf("%g\n", w.d);
    w.parts.low = 1;
    printf("%a\n", w.d);
    union word copy = w;
    copy.u8[0] = 0;
    printf("%d %d\n", copy.d == 1.5, w.d == 1.5);
    printf("%zu %zu\n", sizeof w, _Alignof(union word));
    return 0;
}
