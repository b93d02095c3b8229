//@ property: all verdict: safe
//@ run: gcc
// SHA-256 of three messages.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], h0[8];
static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The constants are the first 32 bits of fractional parts of roots of primes: computed exactly with 128-bit integers. */
static uint32_t root_fraction(uint64_t prime, int cube) {
    unsigned __int128 target = (unsigned __int128)prime << (cube ? 96 : 64), lo = 0, hi = (unsigned __int128)1 << 42;
    while (hi - lo > 1) {
        unsigned __int128 mid = (lo + hi) / 2;
        if (mid * mid * (cube ? mid : 1) <= target)
            lo = mid;
        else
            hi = mid;
    }
    return (uint32_t)lo;
}
static void setup(void) {
    int n = 0;
    for (uint64_t p = 2; n < 64; p++) {
        int prime = 1;
        for (uint64_t d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        k[n] = root_fraction(p, 1);
        if (n < 8)
            h0[n] = root_fraction(p, 0);
        n++;
    }
}
static void block(uint32_t h[8], const uint8_t *p) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = v[7] + (ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t t2 = (ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}
int main(void) {
    setup();
    const char *messages[] = {"", "abc", "The quick brown fox jumps over the lazy dog"};
    for (int m = 0; m < 3; m++) {
        uint8_t buffer[64] = {0};
        uint32_t h[8];
        size_t n = strlen(messages[m]);
        memcpy(h, h0, sizeof h);
        memcpy(buffer, messages[m], n);
        buffer[n] = 0x80;
        for (int i = 0; i < 8; i++)
            buffer[63 - i] = (uint64_t)n * 8 >> 8 * i;
        block(h, buffer);
        for (int i = 0; i < 8; i++)
            printf("%08x", h[i]);
        puts("");
    }
    return 0;
}
