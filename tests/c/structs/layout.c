//@ property: all verdict: safe
//@ run: gcc
// Padding, alignment and offsets under the System V ABI.
#include <stddef.h>
#include <stdio.h>

struct a { char c; int i; char d; };
struct b { char c; double d; short s; };
struct c { struct a first; char last; };
struct d { char name[5]; short s; char t; };
struct e { long double ld; char c; };
struct f { char c; __int128 wide; };
struct g { int n; struct { char x; long y; } inner; char z[3]; };
union u { char c[9]; int i; double d; };
struct h { char c; union u u; };

#define SIZE(t) printf("%s %zu %zu\n", #t, sizeof(t), _Alignof(t))

int main(void) {
    SIZE(struct a);
    SIZE(struct b);
    SIZE(struct c);
    SIZE(struct d);
    SIZE(struct e);
    SIZE(struct f);
    SIZE(struct g);
    SIZE(union u);
    SIZE(struct h);
    printf("%zu %zu\n", offsetof(struct a, i), offsetof(struct a, d));
    printf("%zu %zu\n", offsetof(struct b, d), offsetof(struct b, s));
    printf("%zu %zu\n", offsetof(struct c, last), offsetof(struct c, first.d));
    printf("%zu %zu %zu\n", offsetof(struct g, inner), offsetof(struct g, inner.y), offsetof(struct g, z[2]));
    printf("%zu\n", offsetof(struct h, u.d));
    struct a array[3];
    printf("%td %zu\n", (char *)&array[2] - (char *)array, sizeof array);
    return 0;
}
