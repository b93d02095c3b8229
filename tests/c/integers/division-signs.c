//@ property: all verdict: safe
//@ run: gcc
// Division truncates toward zero; the remainder has the sign of the dividend.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int values[] = {7, -7, 1, -1, 0, INT_MAX, INT_MIN, 1000};
    int divisors[] = {3, -3, 1, 7, -1000, INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        for (unsigned j = 0; j < sizeof divisors / sizeof *divisors; j++) {
            int q = values[i] / divisors[j], r = values[i] % divisors[j];
            printf("%d/%d=%d,%d ", values[i], divisors[j], q, r);
            if (q * divisors[j] + r != values[i])
                puts("broken");
        }
        puts("");
    }
    long long big = LLONG_MIN;
    printf("%lld %lld %lld\n", big / 10, big % 10, big / LLONG_MIN);
    signed char c = -128;
    printf("%d %d\n", c / -1, c % -1);
    short s = -32768;
    s /= -1;
    printf("%d\n", s);
    printf("%u %u\n", -7 / 2u, -7 % 2u);
    return 0;
}
