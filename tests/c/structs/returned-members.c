//@ property: all verdict: safe
//@ run: gcc
// Members of values that are no objects: f().m, (a = b).m, (x, y).m and arrays inside them.
#include <stdio.h>

struct inner { int v[3]; };
struct outer { int id; struct inner in; };

static struct outer make(int id) { return (struct outer){id, {{id, id * 2, id * 3}}}; }
static int total(const int *v) { return v[0] + v[1] + v[2]; }

int main(void) {
    printf("%d\n", make(3).id);
    printf("%d\n", make(4).in.v[2]);
    printf("%d\n", total(make(5).in.v));
    struct outer a = make(1), b = make(2);
    printf("%d\n", (a = b).in.v[1]);
    printf("%d\n", (a, make(7)).id);
    printf("%d\n", (a.id > 1 ? a : make(9)).id);
    int i = 1;
    printf("%d\n", make(10).in.v[i++]);
    printf("%d\n", i);
    printf("%d\n", (&(struct outer){8, {{1, 2, 3}}})->in.v[0]);
    struct inner copy = make(6).in;
    printf("%d %zu\n", copy.v[0], sizeof make(1).in.v);
    return 0;
}
