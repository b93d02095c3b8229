//@ property: all verdict: safe
//@ run: gcc
// Floating values as conditions, compared with integers, in loops and switches by conversion.
#include <stdio.h>

int main(void) {
    float tiny = 1e-45f;
    double zero = 0.0, minus = -0.0;
    if (tiny)
        puts("tiny is true");
    if (!minus)
        puts("minus zero is false");
    printf("%d %d %d\n", zero && 1, tiny || 0, !tiny);
    printf("%g %d\n", tiny ? 1.5 : 2, zero ? 1 : 2);
    int steps = 0;
    for (double d = 1; d; d /= 16)
        steps++;
    printf("%d\n", steps);
    printf("%d %d\n", 16777217 == 16777216.0f, 16777217 == 16777216.0);
    printf("%d %d\n", 9007199254740993 == 9007199254740992.0, -1 < 0.5f);
    printf("%d %d\n", 4294967295u == -1.0, (unsigned char)200 > 199.5);
    switch ((int)2.99) {
    case 2:
        puts("two");
    }
    double array[3] = {0.5, 1.5, 2.5};
    printf("%g\n", array[(int)1.9]);
    float f = 0;
    f += 0.1;
    f -= 0.1f;
    printf("%d\n", f == 0);
    double d = 7;
    d++;
    --d;
    d = -d;
    printf("%g %g\n", d, d < 0 ? -d : d);
    while (d += 2, d < 0)
        ;
    printf("%g\n", d);
    return 0;
}
