//@ property: all verdict: safe
//@ run: gcc
// Specifiers in any order, many declarators, empty ones, qualifiers everywhere.
#include <stdio.h>

int long unsigned typedef static_size;
long int long a = 1, *pa = &a, arr[2] = {2, 3}, (*fp)(void), fn(void);
unsigned b; short int c; int short d; double long e; char signed f; long unsigned int long g;
const volatile static unsigned long long int h = 5;
char const *const *const volatile i = 0;
int static inline j(void) { return 6; }
struct { int x, y; } k = {7, 8}, *l = &k;
enum { M = 1, N, } n = N;
enum e { E1 = -1, E2 = (E1 < 0) ? 'x' : "s"[0] } const o = E2;
struct p { ; int a; ; struct { int b; } q, *r; int : 4; union { int u; }; } p = {1, {2}};
;
extern int q[], (*r)[3], s(int), *t(void), (*u(int))(char);
int q[2] = {9, 10};
int v[3] = {[0] = 1}, (*r)[3] = &v;
union w { int a; float b; } static w = {11};
struct x; struct x *y; struct x { int z; };
long long int fn(void) { return 12; }
int s(register int const z) { return z; }
int *t() { return q; }
static int ch(char z) { return z; }
int (*u(int k))(char) { return k ? ch : 0; }
void nop(void) { ; ; { } ; }

int main(void) {
    auto int x1 = 1; register char *x2 = "r"; static int x3; int const x4 = 4, *const x5 = &x4;
    (void)x3;
    printf("%zu %zu %zu %zu\n", sizeof(static_size), sizeof c, sizeof e, sizeof g);
    fp = fn;
    printf("%lld %lld %lld %d %lld\n", *pa, arr[1], fp(), j(), (long long)h);
    printf("%d %d %d %d\n", l->y, n, o, p.q.b);
    printf("%d %d %d %d\n", t()[1], (*r)[0], s(3), u(1)('c'));
    printf("%d %d %c %d\n", w.a, x1, *x2, *x5);
    struct x z = {13};
    y = &z;
    nop();
    printf("%d %d\n", y->z, i == 0);
    return 0;
}
