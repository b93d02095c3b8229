//@ property: all verdict: safe
//@ run: gcc
// The value of a range designator is computed once; initialisers with calls run in order for one list item each.
#include <stdio.h>

static int calls;
static int next(void) { return ++calls; }

int main(void) {
    int a[6] = {[1 ... 4] = next()};
    printf("%d %d%d%d%d%d%d\n", calls, a[0], a[1], a[2], a[3], a[4], a[5]);
    struct { int x[4], y; } s = {.x = {[0 ... 3] = 9, [2] = 5}, .y = 1};
    printf("%d%d%d%d%d\n", s.x[0], s.x[1], s.x[2], s.x[3], s.y);
    struct p { int a, b; } grid[2][2] = {[0 ... 1] = {[0 ... 1] = {3, 4}}, [1][0].b = 8};
    for (int i = 0; i < 4; i++)
        printf("%d%d ", grid[i / 2][i % 2].a, grid[i / 2][i % 2].b);
    puts("");
    char text[8] = {[0 ... 5] = '-', [2] = '+'};
    puts(text);
    int n = 3;
    int b[] = {[0 ... 2] = n * 2, n};
    printf("%zu %d %d\n", sizeof b / sizeof *b, b[1], b[3]);
    return 0;
}
