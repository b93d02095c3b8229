//@ model: printf
//@ property: all verdict: safe
//@ run: gcc
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 123456789.0, 1e-10, 1e100, 0.5, 2.5, 999998.5, 1e15, 1e16,
        3.141592653589793, DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 0.0001, 0.00001234, 100000, 1000000};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%f|%.0f|%.3f|%10.2f|%-12.1f|%+.1f\n", v, v, v, v, v, v);
        printf("%e|%.0e|%.10E|%g|%.3g|%#g|%G\n", v, v, v, v, v, v, v);
        printf("%.17g|%a|%.2a|%A|%020.3f|% e\n", v, v, v, v, v, v);
    }
    printf("%f %F %e %G %5.1f|%-6f|%06f\n", INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY);
    volatile double zero = 0;
    double nan = zero / zero;
    printf("%f %F\n", nan < 0 ? nan : fabs(nan), fabs(nan));
    printf("%.50f\n%.60g\n", 0.1, 0.1);
    printf("%Lf %Lg %.3Le\n", 1.5L, 0.25L, 12345.0L);
    printf("%f %g\n", 0.1f, 16777216.0f);
    return 0;
}
