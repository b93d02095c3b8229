//@ property: all verdict: safe
//@ run: gcc
// Function designators and pointers to them in all their spellings.
#include <stdio.h>

typedef int unary(int);
typedef unary *unary_ptr;

static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static unary neg;
static int neg(int x) { return -x; }
static int apply(unary f, int x) { return f(x); }
static int twice(int (*f)(int), int x) { return (*f)((****f)(x)); }
static unary_ptr compose_pick(int i) { return i ? dbl : inc; }
static void nothing(void) {}

struct ops { const char *name; unary *f; unary_ptr inverse; };

int main(void) {
    int (*p)(int) = inc;
    printf("%d %d %d %d\n", p(1), (*p)(1), (**p)(1), (&inc)(1));
    printf("%d %d\n", apply(dbl, 4), apply(&neg, 4));
    printf("%d\n", twice(dbl, 5));
    printf("%d %d\n", compose_pick(0)(10), compose_pick(1)(10));
    printf("%d %d %d\n", p == inc, p == &inc, p != dbl);
    unary_ptr table[] = {inc, dbl, neg, 0};
    int x = 3;
    for (unary_ptr *f = table; *f; f++)
        x = (*f)(x);
    printf("%d\n", x);
    struct ops ops[2] = {{"inc", inc, neg}, {.f = dbl, .name = "dbl"}};
    printf("%s %d %s %d %d\n", ops[0].name, ops[0].f(5), ops[1].name, ops[1].f(5), ops[1].inverse == NULL);
    int (*(*pp))(int) = &p;
    *pp = dbl;
    printf("%d\n", (*pp)(21));
    void (*v)(void) = nothing;
    v();
    printf("%d\n", (x > 0 ? inc : neg)(x));
    printf("%d %zu\n", !inc, sizeof p);
    if (neg)
        puts("set");
    return 0;
}
