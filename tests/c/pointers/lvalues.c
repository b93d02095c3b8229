//@ property: all verdict: safe
//@ run: gcc
// Complicated lvalues and the order in which their parts bind.
#include <stdio.h>

struct s { int v; int a[3]; struct s *next; int *p; };

static int count;
static struct s *get(struct s *s) {
    count++;
    return s;
}

int main(void) {
    int x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, t = 1;
    (t ? x : y)[1] = 20;
    *((t ? x : y) + 2) += 5;
    printf("%d %d\n", x[1], x[2]);
    struct s b = {.v = 2, .a = {7, 8, 9}}, a = {1, {1, 2, 3}, &b, x};
    struct s *list[2] = {&a, &b}, **walk = list;
    printf("%d ", (*walk++)->v);
    printf("%d\n", (*walk)->v);
    *a.p++ = 100;
    ++*a.p;
    (*a.p)--;
    printf("%d %d %td\n", x[0], x[1], a.p - x);
    get(&a)->next->a[get(&b)->v]++;
    printf("%d %d\n", b.a[2], count);
    get(&a)->a[1] += 40;
    printf("%d %d\n", a.a[1], count);
    *&a.v = 9;
    (&a)->v++;
    (*&a).v++;
    a.next->next = &a;
    a.next->next->next->v = 77;
    printf("%d %d\n", a.v, b.v);
    int *const *pp = &(int *const){&x[2]};
    **pp = 55;
    printf("%d\n", x[2]);
    (&b.a[1])[-1] = 66;
    printf("%d %d\n", b.a[0], *(1 + b.a));
    int m[2][2] = {{1, 2}, {3, 4}};
    *m[1] = 30;
    (*m)[1] = 20;
    *(*(m + 1) + 1) = 40;
    printf("%d %d %d %d\n", **m, m[0][1], m[1][0], m[1][1]);
    int i = 0;
    x[i++] = 5;
    x[i] = i;
    printf("%d %d %d\n", x[0], x[1], i);
    return 0;
}
