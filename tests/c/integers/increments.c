//@ property: all verdict: safe
//@ run: gcc
// ++ and --, before and after, on every kind of scalar.
#include <stdio.h>

struct cell { int n; unsigned char small; unsigned bits : 3; };

int main(void) {
    int i = 5;
    int before = ++i;
    int after = i++;
    printf("%d %d %d\n", before, after, i);
    signed char c = 127;
    int old = c++;
    printf("%d %d\n", old, c);
    unsigned short h = 0;
    printf("%d %d\n", h--, 1);
    printf("%d\n", h);
    float f = 1.5f;
    double d = -0.5;
    printf("%g ", f++);
    printf("%g ", f);
    printf("%g\n", ++d);
    int a[4] = {10, 20, 30, 40};
    int *p = a;
    printf("%d ", *p++);
    printf("%d ", (*p)++);
    printf("%d ", *++p);
    printf("%d ", --*p);
    printf("%d %d\n", *p--, a[1]);
    struct cell cell = {1, 255, 7};
    cell.n++;
    ++cell.small;
    cell.bits++;
    printf("%d %d %d\n", cell.n, cell.small, cell.bits);
    struct cell *q = &cell;
    printf("%d ", q->bits--);
    printf("%d\n", q->bits);
    __int128 big = -1;
    big++;
    printf("%d\n", big == 0);
    enum { X, Y } e = X;
    e++;
    printf("%d\n", e == Y);
    return 0;
}
