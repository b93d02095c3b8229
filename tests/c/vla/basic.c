//@ property: all verdict: safe
//@ run: gcc
// The length is fixed when the declaration is reached; sizeof is computed at run time.
#include <stdio.h>

static int sum_squares(int n) {
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    int s = 0;
    n = 1000;
    for (unsigned i = 0; i < sizeof a / sizeof a[0]; i++)
        s += a[i];
    return s;
}

int main(void) {
    printf("%d %d %d\n", sum_squares(1), sum_squares(5), sum_squares(10));
    for (int n = 1; n < 5; n++) {
        char buffer[n + 1];
        for (int i = 0; i < n; i++)
            buffer[i] = 'a' + i;
        buffer[n] = 0;
        printf("%s %zu\n", buffer, sizeof buffer);
    }
    int n = 3;
    int first[n++], second[n++];
    printf("%zu %zu %d\n", sizeof first, sizeof second, n);
    long big[n * 2];
    big[n * 2 - 1] = 7;
    long *p = big;
    printf("%ld %zu\n", p[n * 2 - 1], sizeof big);
    struct item { short a; char b; } items[n];
    items[4] = (struct item){1, 2};
    printf("%zu %d\n", sizeof items, items[4].a + items[4].b);
    return 0;
}
