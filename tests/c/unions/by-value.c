//@ property: all verdict: safe
//@ run: gcc
// Unions passed, returned and nested in structs; a tagged expression tree evaluated recursively.
#include <stdio.h>

enum tag { NUM, NEG, ADD, MUL };
struct expr {
    enum tag tag;
    union {
        double num;
        const struct expr *one;
        struct { const struct expr *l, *r; } two;
    } u;
};
union scalar { long i; double d; };

static double eval(struct expr e) {
    switch (e.tag) {
    case NUM: return e.u.num;
    case NEG: return -eval(*e.u.one);
    case ADD: return eval(*e.u.two.l) + eval(*e.u.two.r);
    case MUL: return eval(*e.u.two.l) * eval(*e.u.two.r);
    }
    return 0;
}
static union scalar pick(int want_double, union scalar in) {
    if (want_double)
        in.d = in.i * 0.5;
    else
        in.i *= 2;
    return in;
}

int main(void) {
    struct expr two = {NUM, {2}}, three = {NUM, {.num = 3}};
    struct expr neg = {NEG, {.one = &three}};
    struct expr mul = {MUL, {.two = {&two, &neg}}};
    struct expr add = {ADD, {.two = {.r = &two, .l = &mul}}};
    printf("%g\n", eval(add));
    union scalar s = {7};
    printf("%ld %g\n", pick(0, s).i, pick(1, s).d);
    printf("%ld\n", s.i);
    printf("%zu\n", sizeof(struct expr));
    return 0;
}
