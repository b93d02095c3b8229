//@ property: all verdict: safe
//@ run: gcc
// Structs in structs in arrays, reached by every mixture of . and -> and [].
#include <stdio.h>

struct point { int x, y; };
struct shape { struct point corners[4]; struct { const char *name; struct point *centre; } meta; };
struct drawing { struct shape shapes[2]; struct shape *top; };

int main(void) {
    struct point middle = {5, 6};
    struct drawing d = {
        .shapes = {
            {{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {"square", &middle}},
            {.corners[2] = {9, 8}, .meta = {.name = "odd"}},
        },
    };
    d.top = &d.shapes[1];
    struct drawing *p = &d;
    printf("%s %s\n", p->shapes->meta.name, p->top->meta.name);
    printf("%d\n", p->shapes[0].corners[2].x + (*p).top->corners[2].y);
    printf("%d %d\n", p->shapes[0].meta.centre->x, (*d.shapes[0].meta.centre).y);
    p->shapes[0].meta.centre->x *= 10;
    printf("%d\n", middle.x);
    struct point *c = &p->top->corners[1];
    c[1].x++;
    (c + 2)->y = 44;
    printf("%d %d\n", d.shapes[1].corners[2].x, d.shapes[1].corners[3].y);
    printf("%td\n", &p->top->corners[3] - p->top->corners);
    d.shapes[0] = d.shapes[1];
    d.shapes[1].corners[2].x = 0;
    printf("%d %s\n", d.shapes[0].corners[2].x, d.shapes[0].meta.name);
    printf("%d\n", d.shapes[0].meta.centre == 0);
    return 0;
}
