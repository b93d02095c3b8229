//@ property: all verdict: safe
//@ run: gcc
// Designators: any order, ranges, nested paths, continuing after one, later overriding earlier.
#include <stdio.h>

struct point { int x, y; };
struct shape { char name[8]; struct point p[3]; int last; };

static int a[10] = {1, 2, [5] = 50, 60, [1] = 20, [8] = 80};
static int ranges[12] = {[0 ... 3] = 7, [6 ... 8] = 9, 10, [2] = 1};
static struct shape s = {.last = 9, .p[1].y = 5, .p[2] = {6, 7}, .name = "abc"};
static struct shape t = {"first", {{1, 2}, 3, 4, 5}, .p[0].x = 11};
static struct point grid[2][3] = {[1][2] = {1, 2}, [0] = {{3, 4}, [2].y = 6}};
static struct { int a, b, c; } u = {.b = 1, 2, .a = 3};
static const char *names[] = {[2] = "two", [0] = "zero"};

int main(void) {
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    puts("");
    for (int i = 0; i < 12; i++)
        printf("%d ", ranges[i]);
    puts("");
    printf("%s %d %d %d %d %d\n", s.name, s.p[0].x, s.p[1].y, s.p[2].x, s.p[2].y, s.last);
    printf("%s %d %d %d %d %d %d %d\n", t.name, t.p[0].x, t.p[0].y, t.p[1].x, t.p[1].y, t.p[2].x, t.p[2].y, t.last);
    printf("%d %d %d %d\n", grid[1][2].y, grid[0][0].x, grid[0][2].y, grid[0][1].x);
    printf("%d %d %d\n", u.a, u.b, u.c);
    printf("%zu %s %d\n", sizeof names / sizeof *names, names[2], names[1] == 0);
    struct shape local = {.p = {[2] = {.y = a[5]}}, .last = a[0]};
    printf("%d %d %d\n", local.p[2].y, local.p[0].x, local.last);
    struct shape again = {.p[0] = {1, 2}, .p[0].y = 30};
    printf("%d %d\n", again.p[0].x, again.p[0].y);
    return 0;
}
