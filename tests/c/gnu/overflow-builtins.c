//@ property: all verdict: safe
//@ run: gcc
// __builtin_*_overflow: the mathematical result against the type of the target; no undefined behaviour.
#include <limits.h>
#include <stdio.h>

int main(void) {
    int i;
    unsigned u;
    long l;
    unsigned char c;
    signed char s;
    long long ll;
    printf("%d ", __builtin_add_overflow(INT_MAX, 1, &i));
    printf("%d\n", i);
    printf("%d ", __builtin_add_overflow(INT_MAX, -1, &i));
    printf("%d\n", i);
    printf("%d ", __builtin_sub_overflow(0u, 1u, &u));
    printf("%u\n", u);
    printf("%d ", __builtin_sub_overflow(0u, 1u, &i));
    printf("%d\n", i);
    printf("%d ", __builtin_mul_overflow(1 << 20, 1 << 20, &l));
    printf("%ld\n", l);
    printf("%d ", __builtin_mul_overflow(1 << 20, 1 << 20, &i));
    printf("%d\n", i);
    printf("%d ", __builtin_add_overflow(200, 100, &c));
    printf("%d\n", c);
    printf("%d ", __builtin_add_overflow(-1, 1u, &c));
    printf("%d\n", c);
    printf("%d ", __builtin_sub_overflow(-128, 0, &s));
    printf("%d\n", s);
    printf("%d ", __builtin_mul_overflow(-128, -1, &s));
    printf("%d\n", s);
    printf("%d ", __builtin_add_overflow(ULLONG_MAX, -1, &ll));
    printf("%lld\n", ll);
    printf("%d ", __builtin_add_overflow(LLONG_MIN, LLONG_MIN, &ll));
    printf("%lld\n", ll);
    printf("%d ", __builtin_mul_overflow(LLONG_MIN, -1, &ll));
    printf("%lld\n", ll);
    printf("%d ", __builtin_sadd_overflow(INT_MIN, -1, &i));
    printf("%d\n", i);
    printf("%d ", __builtin_umul_overflow(UINT_MAX, 2, &u));
    printf("%u\n", u);
    printf("%d ", __builtin_ssubl_overflow(LONG_MIN, 1, &l));
    printf("%ld\n", l);
    printf("%d %d\n", __builtin_add_overflow_p(INT_MAX, 1, 0), __builtin_mul_overflow_p(3, 4, (char)0));
    return 0;
}
