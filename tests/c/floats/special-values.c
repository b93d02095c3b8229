//@ property: all verdict: safe
//@ run: gcc
// Infinities, NaN and the sign of zero.
#include <float.h>
#include <math.h>
#include <stdio.h>

static void compare(const char *what, double a, double b) {
    printf("%-10s <%d <=%d ==%d !=%d >=%d >%d\n", what, a < b, a <= b, a == b, a != b, a >= b, a > b);
}

int main(void) {
    volatile double zero = 0;
    double inf = INFINITY, nan = NAN;
    compare("nan,nan", nan, nan);
    compare("nan,1", nan, 1);
    compare("inf,max", inf, DBL_MAX);
    compare("-inf,inf", -inf, inf);
    compare("-0,0", -0.0, 0.0);
    printf("%d %d\n", !nan, nan ? 1 : 0);
    printf("%d %d %d\n", isnan(nan), isinf(inf) != 0, isfinite(DBL_MAX));
    printf("%d %d\n", isnan(inf - inf), isnan(inf * zero));
    printf("%g %g %g\n", inf + 1, -inf, inf * -2);
    printf("%d %d\n", signbit(-0.0) != 0, signbit(0.0) != 0);
    printf("%g %g\n", -zero, 0.0 - zero);
    printf("%g %g\n", copysign(3, -0.0), fabs(-0.0));
    printf("%d %d\n", fpclassify(zero) == FP_ZERO, fpclassify(DBL_MIN / 2) == FP_SUBNORMAL);
    printf("%d\n", isgreater(nan, 1.0) || islessequal(nan, 1.0));
    printf("%d\n", isunordered(nan, 1.0));
    printf("%a %a %a\n", DBL_MIN, DBL_EPSILON, DBL_TRUE_MIN);
    printf("%a %a\n", FLT_MAX, FLT_EPSILON);
    printf("%g %g\n", fmax(nan, 2), fmin(1, nan));
    return 0;
}
