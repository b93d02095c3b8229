//@ property: all verdict: safe
//@ run: gcc
// Library functions whose results are exact.
#include <math.h>
#include <stdio.h>

int main(void) {
    printf("%g %g %g\n", sqrt(144), sqrt(2.25), cbrt(27));
    printf("%g %g %g %g\n", floor(-2.5), ceil(-2.5), trunc(-2.5), round(-2.5));
    printf("%g %g %g\n", rint(2.5), rint(3.5), nearbyint(-0.5));
    printf("%g %g\n", fmod(7.5, 2), fmod(-7.5, 2));
    printf("%g %g\n", pow(2, 10), pow(-3, 3));
    printf("%g %g\n", ldexp(0.75, 5), scalbn(1, -3));
    int e;
    double m = frexp(48, &e);
    printf("%g %d\n", m, e);
    double whole;
    double frac = modf(-3.75, &whole);
    printf("%g %g\n", frac, whole);
    printf("%g %g\n", hypot(3, 4), fabs(-1.5));
    printf("%ld %ld\n", lround(2.5), lrint(2.5));
    printf("%g %g\n", exp(0), log(1));
    printf("%g %g %g\n", sin(0), cos(0), atan2(0, 1));
    printf("%d\n", fabs(sin(1) * sin(1) + cos(1) * cos(1) - 1) < 1e-15);
    printf("%g\n", fdim(3, 5));
    printf("%a\n", sqrt(2));
    printf("%a\n", (double)sqrtf(2));
    return 0;
}

//@ known: order all unknown(unsupported)
