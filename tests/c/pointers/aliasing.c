//@ property: all verdict: safe
//@ run: gcc
// Two names for one object: every write is seen through the other name at once.
#include <stdio.h>

static int global = 1;

static int through(int *p, int *q) {
    *p = 1;
    *q = 2;
    return *p * 10 + *q;
}
static int with_global(int *p) {
    global = 5;
    *p += 1;
    return global;
}
static void rotate(int *a, int *b, int *c) {
    int t = *a;
    *a = *b;
    *b = *c;
    *c = t;
}

int main(void) {
    int x = 0, y = 0;
    printf("%d ", through(&x, &y));
    printf("%d\n", through(&x, &x));
    printf("%d\n", with_global(&global));
    printf("%d\n", with_global(&x));
    int a[3] = {1, 2, 3};
    rotate(&a[0], &a[1], &a[2]);
    printf("%d%d%d\n", a[0], a[1], a[2]);
    rotate(&a[0], &a[0], &a[1]);
    printf("%d%d%d\n", a[0], a[1], a[2]);
    struct s { int v; struct s *p; } s = {1, &s};
    s.p->p->p->v = 9;
    printf("%d\n", s.v);
    struct s t = *s.p;
    t.v++;
    t.p->v += 100;
    printf("%d %d\n", s.v, t.v);
    int *p = &x, **pp = &p;
    *pp = &y;
    *p = 33;
    printf("%d %d\n", x, y);
    int loop = 3;
    for (int *i = &loop; *i; --*i)
        printf("%d", loop);
    puts("");
    return 0;
}
