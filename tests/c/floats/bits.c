//@ property: all verdict: safe
//@ run: gcc
// The representation of floating values, by union and by memcpy.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union single { float f; uint32_t bits; };

static uint64_t bits_of(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static float inverse_root(float x) {
    union single u = {x};
    u.bits = 0x5f3759df - (u.bits >> 1);
    return u.f * (1.5f - 0.5f * x * u.f * u.f);
}

int main(void) {
    float floats[] = {0, -0.0f, 1, -2, 0.1f, 1e-45f, 3.4028235e38f};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
        union single u = {.f = floats[i]};
        printf("%08x sign %u exp %3u frac %06x\n", u.bits, u.bits >> 31, u.bits >> 23 & 255, u.bits & 0x7fffff);
    }
    printf("%016lx %016lx\n", bits_of(1.0), bits_of(-0.1));
    printf("%016lx\n", bits_of(1.0 / 3));
    printf("%a\n", inverse_root(4));
    union single u = {.bits = 0x7f800000};
    printf("%g\n", u.f);
    u.bits = 0x40490fdb;
    printf("%.7f\n", u.f);
    unsigned char bytes[8];
    double d = 1;
    memcpy(bytes, &d, 8);
    for (int i = 0; i < 8; i++)
        printf("%02x", bytes[i]);
    puts("");
    bytes[7] |= 0x80;
    memcpy(&d, bytes, 8);
    printf("%g\n", d);
    return 0;
}
