//@ property: all verdict: safe
//@ run: gcc
// Tags, members, labels and ordinary names live in different name spaces; inner tags hide outer ones.
#include <stdio.h>

struct thing { int thing; };
typedef struct thing thing_t;
struct later;
static int peek(struct later *l);

int thing(int x) { return x; }

struct later { struct later *self; int value; };
static int peek(struct later *l) { return l->self->value; }

int main(void) {
    struct thing s = {1};
    thing_t u = {2};
    printf("%d %d %d\n", s.thing, u.thing, thing(3));
    {
        struct thing { char c[50]; };
        struct thing inner = {"inner"};
        printf("%zu %s\n", sizeof(struct thing), inner.c);
        struct thing *p = &inner;
        printf("%c\n", p->c[1]);
    }
    printf("%zu\n", sizeof(struct thing));
    {
        struct thing;
        struct holder { struct thing *t; } h = {0};
        struct thing { long a, b; } t = {4, 5};
        h.t = &t;
        printf("%ld %zu\n", h.t->b, sizeof *h.t);
    }
    struct later l = {&l, 77};
    printf("%d\n", peek(&l));
    goto thing;
thing:
    for (struct { int i; char c; } it = {0, 'a'}; it.i < 3; it.i++, it.c++)
        printf("%c", it.c);
    puts("");
    enum { thing_t = 5 };
    printf("%d\n", thing_t);
    return 0;
}
