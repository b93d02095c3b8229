//@ property: all verdict: safe
//@ run: gcc
// Factorials, powers and Fibonacci numbers with arrays of digits.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 40, BASE = 1000000000 };
typedef struct { uint32_t d[LIMBS]; int n; } big;

static big from(uint64_t v) {
    big b = {.n = 0};
    for (; v; v /= BASE)
        b.d[b.n++] = v % BASE;
    return b;
}
static big add(big a, const big *b) {
    uint32_t carry = 0;
    int n = a.n > b->n ? a.n : b->n;
    for (int i = 0; i < n || carry; i++) {
        uint32_t s = carry + (i < a.n ? a.d[i] : 0) + (i < b->n ? b->d[i] : 0);
        a.d[i] = s % BASE;
        carry = s / BASE;
        if (i >= a.n)
            a.n = i + 1;
    }
    return a;
}
static big mul(const big *a, const big *b) {
    big r = {.n = a->n + b->n};
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n || carry; j++) {
            uint64_t t = r.d[i + j] + carry + (j < b->n ? (uint64_t)a->d[i] * b->d[j] : 0);
            r.d[i + j] = t % BASE;
            carry = t / BASE;
        }
    }
    while (r.n && !r.d[r.n - 1])
        r.n--;
    return r;
}
static void print(const char *what, const big *b) {
    printf("%s %u", what, b->n ? b->d[b->n - 1] : 0);
    for (int i = b->n - 2; i >= 0; i--)
        printf("%09u", b->d[i]);
    puts("");
}

int main(void) {
    big f = from(1);
    for (int i = 2; i <= 40; i++) {
        big k = from(i);
        f = mul(&f, &k);
    }
    print("40!", &f);
    big a = from(0), b = from(1);
    for (int i = 0; i < 150; i++) {
        big t = add(a, &b);
        a = b;
        b = t;
    }
    print("fib150", &a);
    big p = from(1), base = from(0xffffffffffffffff);
    for (int e = 5; e; e >>= 1, base = mul(&base, &base))
        if (e & 1)
            p = mul(&p, &base);
    print("(2^64-1)^5", &p);
    return 0;
}
