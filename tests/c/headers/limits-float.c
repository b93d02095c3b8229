//@ property: all verdict: safe
//@ run: gcc
// limits.h and float.h.
#include <float.h>
#include <limits.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
    printf("%d %d %u %ld %lu\n", SHRT_MIN, INT_MAX, UINT_MAX, LONG_MIN, ULONG_MAX);
    printf("%lld %llu %d\n", LLONG_MIN, ULLONG_MAX, MB_LEN_MAX);
    printf("%d %d %d\n", FLT_RADIX, FLT_MANT_DIG, DBL_MANT_DIG);
    printf("%a %a %a\n", FLT_MIN, DBL_MAX, DBL_EPSILON);
    printf("%d %d %d %d\n", FLT_DIG, DBL_DIG, DBL_MIN_EXP, DBL_MAX_10_EXP);
    printf("%d %d\n", FLT_EVAL_METHOD, DECIMAL_DIG);
#if INT_MAX == 2147483647 && CHAR_BIT == 8
    puts("32-bit int");
#endif
    return 0;
}
