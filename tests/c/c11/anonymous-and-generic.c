//@ property: all verdict: safe
//@ run: gcc
// Anonymous records in depth, and _Generic used to dispatch on pointers to records.
#include <stddef.h>
#include <stdio.h>

struct circle { double r; };
struct rect { double w, h; };
struct shape {
    enum { CIRCLE, RECT } kind;
    union {
        struct circle circle;
        struct rect rect;
        struct {
            union { double first; long bits; };
            double second;
        };
    };
};
static double area_circle(const struct circle *c) { return 3 * c->r * c->r; }
static double area_rect(const struct rect *r) { return r->w * r->h; }
static double area_shape(const struct shape *s) {
    return s->kind == CIRCLE ? area_circle(&s->circle) : area_rect(&s->rect);
}
#define area(x) _Generic((x), \
    struct circle *: area_circle, const struct circle *: area_circle, \
    struct rect *: area_rect, struct shape *: area_shape)(x)

int main(void) {
    struct circle c = {2};
    const struct circle cc = {1};
    struct shape s[] = {{CIRCLE, {{3}}}, {RECT, .rect = {2, 5}}, {.kind = RECT, .first = 4, .second = 0.5}};
    printf("%g %g\n", area(&c), area(&cc));
    for (int i = 0; i < 3; i++)
        printf("%g ", area(&s[i]));
    puts("");
    s[1].first = 10;
    printf("%g %d\n", s[1].rect.w, s[1].bits == 0x4024000000000000);
    printf("%zu %zu\n", offsetof(struct shape, second), offsetof(struct shape, rect.h));
    return 0;
}
