//@ property: all verdict: safe
//@ run: gcc
// Floating arguments: converted by prototypes, promoted by variadic and unprototyped calls.
#include <stdarg.h>
#include <stdio.h>

static double sum(int n, ...) {
    va_list list;
    va_start(list, n);
    double total = 0;
    for (int i = 0; i < n; i++)
        total += va_arg(list, double);
    va_end(list);
    return total;
}
static float halve(float x) { return x / 2; }
static int as_int(int x) { return x; }
static double old_style();
static double mixed(int a, double b, float c, long d, double e) { return a + b * c - d / e; }

int main(void) {
    float f = 1.1f;
    printf("%a\n", sum(3, f, 2.5, 0.25f));
    printf("%a\n", (double)halve(3));
    printf("%a\n", (double)halve(0.1));
    printf("%d\n", as_int(7.9));
    printf("%a\n", old_style(f));
    printf("%g\n", mixed(1, 2, 3, 4, 5));
    double (*table[])(int, double, float, long, double) = {mixed};
    printf("%g\n", table[0](1.9, 2, 0.5, -3.9, 1e3));
    return 0;
}

static double old_style(x)
float x;
{
    return x * 2;
}
