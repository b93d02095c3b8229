//@ property: all verdict: safe
//@ run: gcc
// Double arithmetic to the last bit.
#include <stdio.h>

int main(void) {
    double a = 0.1, b = 0.2, c = 1.0 / 3.0;
    printf("%a %a %a\n", a + b, a * b, c);
    printf("%.17g %.17g\n", a + b, 0.3);
    printf("%d %d\n", a + b == 0.3, a + b > 0.3);
    printf("%a %a\n", 1e308 * 10, -1e308 * 10);
    printf("%a %a\n", 9007199254740992.0 + 1, 9007199254740992.0 + 2);
    printf("%a\n", (a + b) + c - (a + (b + c)));
    double sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += 0.001;
    printf("%.17g\n", sum);
    double x = 2;
    for (int i = 0; i < 8; i++)
        x = (x + 2 / x) / 2;
    printf("%a\n", x);
    double product = 1;
    for (int i = 1; i <= 30; i++)
        product *= i;
    printf("%.17g %a\n", product, product);
    printf("%g %g %g\n", -7.5 / 2, (double)(1 / 4), 1 / 4.);
    printf("%a %a\n", -a, +b);
    x = 5;
    x -= 0.75;
    x *= -x;
    printf("%a\n", x);
    return 0;
}
