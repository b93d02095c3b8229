//@ property: all verdict: safe
//@ run: gcc
// Assignment between overlapping views, arrays in unions of structs, copies of parts.
#include <stdio.h>
#include <string.h>

struct v3 { float x, y, z; };
union vec { struct v3 v; float f[3]; struct { float xy[2], rest; }; };
struct pair { struct v3 a, b; };

static union vec scaled(union vec in, float by) {
    for (int i = 0; i < 3; i++)
        in.f[i] *= by;
    return in;
}

int main(void) {
    union vec v = {{1, 2, 3}}, w = scaled(v, 2);
    printf("%g %g %g %g\n", v.v.x, w.v.y, w.f[2], w.xy[1] + w.rest);
    struct pair p = {v.v, w.v};
    struct v3 t = p.a;
    p.a = p.b;
    p.b = t;
    printf("%g %g\n", p.a.x, p.b.x);
    struct pair list[3] = {p, {p.b, p.a}};
    list[2] = list[0];
    list[0].a = list[1].a;
    printf("%g %g %d\n", list[0].a.z, list[2].a.z, memcmp(&list[2], &p, sizeof p));
    struct v3 *view = &list[1].b;
    *view = (struct v3){.y = view->y * 10};
    printf("%g %g %g\n", list[1].b.x, list[1].b.y, list[1].b.z);
    memcpy(&list[0], &list[2], sizeof list[0]);
    printf("%d\n", memcmp(&list[0], &list[2], sizeof list[0]));
    list[1] = *&list[1];
    float *flat = &p.a.x;
    printf("%g %g\n", flat[0], *(&p.b.x + 0));
    return 0;
}
