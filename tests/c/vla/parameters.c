//@ property: all verdict: safe
//@ run: gcc
// Size expressions of parameters are evaluated on entry; rows are as long as they were then.
#include <stdio.h>

static int calls;
static int width(void) { return calls++, 3; }
static size_t row(int n, int a[][n + 1]) {
    n = 100;
    return sizeof a[0] / sizeof(int);
}
static int pick(int a[2][width()], int i) { return a[1][i]; }
static int nested(int n, int m, int (*a)[n][m]) { return (*a)[n - 1][m - 1] + (int)sizeof *a; }
static int recursive(int n) {
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = n;
    int below = n > 1 ? recursive(n - 1) : 0;
    int sum = below;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}
static void star(int n, int a[*]);
static void star(int n, int a[n]) { a[n - 1] = n; }

int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%zu\n", row(2, m));
    printf("%d ", pick(m, 2));
    printf("%d\n", calls);
    printf("%d\n", nested(2, 3, &m));
    printf("%d\n", recursive(6));
    star(3, m[0]);
    printf("%d\n", m[0][2]);
    int n = 2;
    int(*p)[n] = (int(*)[n])m;
    printf("%d %zu\n", p[1][0], sizeof *p);
    return 0;
}
