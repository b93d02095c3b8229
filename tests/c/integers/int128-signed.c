//@ property: all verdict: safe
//@ run: gcc
// signed __int128: sign extension, truncating division, arithmetic shift, comparisons.
#include <limits.h>
#include <stdio.h>

typedef __int128 i128;

static void show(const char *what, i128 x) {
    printf("%-8s %lld %llu\n", what, (long long)(x >> 64), (unsigned long long)x);
}

static i128 power(i128 base, int exp) { return exp == 0 ? 1 : base * power(base, exp - 1); }

int main(void) {
    i128 minus = -1;
    i128 product = (i128)LLONG_MIN * LLONG_MIN;
    show("minus", minus);
    show("product", product);
    show("3^79", power(3, 79));
    show("-7^45", power(-7, 45));
    show("div", power(-7, 45) / 1000000007);
    show("rem", power(-7, 45) % 1000000007);
    show("divneg", power(7, 45) / -12345678901234567ll);
    show("sar", power(-7, 45) >> 77);
    show("from u", (i128)ULLONG_MAX);
    show("from i", (i128)INT_MIN);
    show("neg", -(i128)ULLONG_MAX);
    printf("%d %d %d\n", minus < 0, minus < product, power(-3, 3) > -28);
    printf("%d\n", (int)(power(2, 100) + 42));
    printf("%d\n", (unsigned __int128)minus > product);
    i128 sum = 0;
    for (long i = 0; i < 1000; i++)
        sum += (i128)LONG_MAX - i;
    show("sum", sum);
    sum *= -1;
    show("sum", sum);
    return 0;
}
