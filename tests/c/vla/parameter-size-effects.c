//@ property: all verdict: safe
//@ run: gcc
// The sizes in array parameters are evaluated on entry, in the order of the parameters, the outermost one too.
#include <stdio.h>

static int trace;
static int step(int n) { trace = trace * 10 + n; return n; }
static int one(int i, int array[i++]) { return i + 0 * array[0]; }
static int two(int a, int b[a++], int c, int d[c++]) { return a * 10 + c + 0 * (b[0] + d[0]); }
static int nested(int grid[3][step(2)], int n) { return n + (int)sizeof grid[0] / (int)sizeof(int); }

int main(void) {
    int a[10] = {0}, grid[3][2] = {{0}};
    printf("%d %d\n", one(10, a), two(1, a, 1, a));
    printf("%d", nested(grid, 5));
    printf(" %d\n", trace);
    return 0;
}
