//@ property: all verdict: safe
//@ run: gcc
// Scaled arithmetic, differences, comparisons inside one array, one past the end.
#include <stddef.h>
#include <stdio.h>

struct odd { char c[7]; };

int main(void) {
    int a[6] = {1, 2, 3, 4, 5, 6};
    int *p = a, *end = a + 6;
    int s = 0;
    for (; p != end; ++p)
        s = s * 10 + *p;
    printf("%d\n", s);
    p -= 2;
    printf("%d %d %d\n", *p, p[-1], p[1]);
    printf("%td %td\n", end - a, a - end);
    printf("%d %d %d %d\n", p < end, p >= end, a <= a, a > a);
    struct odd o[4];
    printf("%td %td\n", &o[3] - &o[1], (char *)&o[3] - (char *)&o[1]);
    short *sp = (short *)a;
    sp += 4;
    printf("%d\n", *sp);
    char *cp = (char *)(a + 1);
    printf("%d %d\n", *cp, cp[4]);
    p = &a[5];
    p += -3;
    p = 1 + p;
    printf("%d\n", *p);
    unsigned char back = 2;
    printf("%d %d\n", p[-(int)back], *(p - back));
    long offset = -1;
    printf("%d\n", p[offset]);
    int **pp = &p, ***ppp = &pp;
    ***ppp = 40;
    (**ppp)++;
    **pp = **pp + 1;
    printf("%d %d %d\n", a[3], a[4], *p);
    ptrdiff_t d = p - a;
    printf("%td %zu\n", d, sizeof d);
    const int *const cpc = a + 2;
    printf("%d\n", *cpc);
    return 0;
}
