//@ unsupported: 8 complex
// Complex arithmetic.
#include <complex.h>
#include <stdio.h>

int main(void) {
    puts("before");
    double complex z = 1.0 + 2.0 * I;
    z *= z;
    printf("%g %g\n", creal(z), cimag(z));
    return 0;
}
