//@ property: all verdict: safe
//@ run: gcc
// long double with values that any IEEE format holds exactly.
#include <math.h>
#include <stdio.h>

static long double average(int n, const long double *values) {
    long double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

int main(void) {
    long double values[] = {1.5L, 2.5L, -8, 20};
    printf("%zu %zu\n", sizeof(long double), sizeof values);
    printf("%Lg\n", average(4, values));
    long double x = 0x1p100L;
    printf("%.0Lf %Le\n", x, x);
    printf("%d %d\n", x > 1e30, x == 0x1p100);
    printf("%d\n", (int)(values[1] * values[3]));
    double d = values[0];
    float f = values[2];
    printf("%g %g\n", d, f);
    printf("%Lg %Lg\n", fabsl(values[2]), sqrtl(6.25L));
    long double *p = &values[1];
    *p++ *= 4;
    --*p;
    printf("%Lg %Lg %d\n", values[1], *p, (int)(p - values));
    printf("%zu\n", sizeof(1.0L + 1));
    return 0;
}
