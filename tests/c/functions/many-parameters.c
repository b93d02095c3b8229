//@ property: all verdict: safe
//@ run: gcc
// More parameters than registers, of all kinds; parameters are ordinary variables.
#include <stdio.h>

struct s { char c[3]; };

static long mix(char a, short b, int c, long d, float e, double f, struct s g, int *h, unsigned char i, long long j,
                double k, float l, _Bool m, char *n, int (*o)(int), unsigned long p, double q, double r, double t) {
    *h += a;
    a = 5;
    return a + b + c + d + (long)e + (long)f + g.c[2] + *h + i + j + (long)k + (long)l + m + n[1] + o(3) + (long)p +
           (long)(q * r * t);
}
static int cube(int x) { return x * x * x; }
static int gcd(int a, int b) {
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}
static void unused(int, char *);
static void unused(int x, char *y) { (void)x, (void)y; }

int main(void) {
    int h = 7;
    struct s s = {{1, 2, 3}};
    printf("%ld\n", mix(1, 2, 3, 4, 5.5f, 6.5, s, &h, 8, 9, 10, 11, 12, "\1\2", cube, 13, 2, 3, 4));
    printf("%d\n", h);
    int a = 84, b = 36;
    printf("%d %d %d\n", gcd(a, b), a, b);
    unused(1, 0);
    return 0;
}
