//@ property: all verdict: safe
//@ run: gcc
// Automatic aggregates with computed parts: the rest is zero, every time the declaration runs.
#include <stdio.h>

struct r { int id; double w[3]; const char *s; };

static int next;
static int fresh(void) { return ++next; }
static struct r make(int id) {
    struct r r = {id, {id / 2.0}, id % 2 ? "odd" : 0};
    return r;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        int a[4] = {i, [2] = i * 10};
        printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
        a[1] = a[3] = 99;
    }
    struct r r = make(fresh());
    struct r list[3] = {r, make(fresh())};
    printf("%d %d %d\n", list[0].id, list[1].id, list[2].id);
    printf("%g %g %s %d\n", list[1].w[0], list[1].w[2], list[0].s, list[1].s == 0);
    int n = 5, m = n * 2, *p = &m;
    int b[] = {n, m, *p + 1, sizeof n};
    printf("%d %d %d %d\n", b[0], b[1], b[2], b[3]);
    char text[5] = {'a' + n};
    printf("%s %d\n", text, text[4]);
    struct r copy = list[1], *q = &copy;
    q->id = 50;
    printf("%d %d\n", copy.id, list[1].id);
    int zero[100] = {0}, any = 0;
    for (int i = 0; i < 100; i++)
        any |= zero[i];
    int empty[3] = {};
    printf("%d %d\n", any, empty[0] + empty[2]);
    int self = (self = 3, self + 1);
    printf("%d\n", self);
    return 0;
}
