//@ property: all verdict: safe
//@ run: gcc
// Gradual underflow, in both formats.
#include <float.h>
#include <stdio.h>

int main(void) {
    double d = DBL_MIN;
    int steps = 0;
    while (d > 0) {
        d /= 2;
        steps++;
    }
    printf("%d\n", steps);
    float f = FLT_MIN;
    steps = 0;
    while (f > 0) {
        f /= 2;
        steps++;
    }
    printf("%d\n", steps);
    printf("%a %a\n", DBL_MIN - DBL_MIN / 4, DBL_MIN / 3);
    printf("%d\n", DBL_MIN * 1.5 - DBL_MIN != 0);
    printf("%a %a\n", (double)(FLT_MIN / 3), (float)(DBL_MIN));
    printf("%a %a\n", DBL_TRUE_MIN * 0.5, DBL_TRUE_MIN * 0.75);
    printf("%g %g\n", DBL_TRUE_MIN, (double)FLT_TRUE_MIN);
    return 0;
}
