//@ property: all verdict: safe
//@ run: gcc
// The high half of 64 x 64 bits, modular exponentiation, a primality test.
#include <stdint.h>
#include <stdio.h>

static uint64_t mulhi(uint64_t a, uint64_t b) { return (unsigned __int128)a * b >> 64; }
static int64_t smulhi(int64_t a, int64_t b) { return (__int128)a * b >> 64; }
static uint64_t powmod(uint64_t b, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    for (b %= m; e; e >>= 1, b = (unsigned __int128)b * b % m)
        if (e & 1)
            r = (unsigned __int128)r * b % m;
    return r;
}
static int prime(uint64_t n) {
    if (n < 2 || n % 2 == 0)
        return n == 2;
    int s = __builtin_ctzll(n - 1);
    for (uint64_t a = 2; a < 40; a++) {
        if (a % n == 0)
            continue;
        uint64_t x = powmod(a, (n - 1) >> s, n);
        int ok = x == 1 || x == n - 1;
        for (int i = 1; i < s && !ok; i++)
            ok = (x = (unsigned __int128)x * x % n) == n - 1;
        if (!ok)
            return 0;
    }
    return 1;
}

int main(void) {
    printf("%lx %lx\n", mulhi(~0ull, ~0ull), mulhi(1ull << 63, 6));
    printf("%ld %ld\n", smulhi(INT64_MIN, INT64_MIN), smulhi(-1, 1));
    printf("%lu\n", powmod(3, 1000000, 1000000007));
    printf("%d %d %d\n", prime(18446744073709551557u), prime(18446744073709551556u), prime(3215031751u));
    int32_t r = (int32_t)((int64_t)INT32_MIN * INT32_MIN >> 31);
    printf("%d %d\n", r, (int)((long long)-7 * 3 >> 1));
    unsigned __int128 f = 1;
    for (int i = 1; i <= 34; i++)
        f *= i;
    printf("%lx %lx\n", (uint64_t)(f >> 64), (uint64_t)f);
    return 0;
}
