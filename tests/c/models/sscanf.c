//@ model: __isoc99_sscanf
//@ property: all verdict: safe
//@ run: gcc
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int a = 0, b = 0, n = 0;
    short s;
    signed char t;
    long l;
    long long ll;
    size_t z;
    double d;
    char word[16], set[16];
    void *p;
    printf("%d", sscanf("10 20", "%d %d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", sscanf("-5 300 -7000000000 0x10 42", "%hd %hhd %lld %lx %zu", &s, &t, &ll, (unsigned long *)&l, &z));
    printf(" %d %d %lld %ld %zu\n", s, t, ll, l, z);
    printf("%d", sscanf("key = value # comment", "%[a-z] = %15s %n", word, set, &n));
    printf(" %s %s %d\n", word, set, n);
    printf("%d", sscanf("12345678", "%3d%2d%s", &a, &b, word));
    printf(" %d %d %s\n", a, b, word);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("5", "%d %d", &a, &b));
    printf("%d", sscanf("2.5e-3,100%", "%lf,%d%%", &d, &a));
    printf(" %g %d\n", d, a);
    printf("%d", sscanf("2001-02-03", "%d-%d-%d", &a, &b, &n));
    printf(" %d %d %d\n", a, b, n);
    printf("%d ", sscanf("0x1234", "%p", &p));
    printf("%d\n", p == (void *)0x1234);
    printf("%d", sscanf("inf nan 0x1p4", "%lf%*f%lf", &d, &d));
    printf(" %g\n", d);
    char *made;
    printf("%d", sscanf("allocated text", "%ms", &made));
    printf(" %s\n", made);
    free(made);
    return 0;
}
