//@ property: all verdict: safe
//@ run: gcc
// a ?: b evaluates a once and gives a if it is true.
#include <stdio.h>

static int calls;
static int value(int x) {
    calls++;
    return x;
}

int main(void) {
    printf("%d ", value(5) ?: value(7));
    printf("%d ", value(0) ?: value(7));
    printf("%d\n", calls);
    const char *name = NULL;
    printf("%s %s\n", name ?: "default", "given" ?: "default");
    printf("%g %g\n", 0.0 ?: 2.5, 0.5 ?: 2.5);
    printf("%d\n", 0 ?: 0 ?: 3 ?: 4);
    unsigned char c = 0;
    printf("%d %zu\n", c-- ?: -1, sizeof(c ?: 1l));
    printf("%d\n", c);
    int i = 0, j = 9;
    int *p = NULL;
    *(p ?: &j) = 10;
    printf("%d\n", i++ ?: j);
    return 0;
}
