//@ property: all verdict: safe
//@ run: gcc
// static inline, inline with extern declaration, restrict, static array parameters, flexible calls.
#include <stdio.h>

static inline int square(int x) { return x * x; }
inline int cube(int x) { return x * x * x; }
extern int cube(int x);
static inline int next(void) {
    static int n;
    return ++n;
}
static void copy(int n, int to[restrict static n], const int from[restrict n]) {
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}
static int first(const int a[const static 2]) { return a[0] + a[1]; }

int main(void) {
    int (*f)(int) = cube;
    printf("%d %d %d\n", square(5), cube(3), f(2));
    next();
    printf("%d\n", next());
    int a[3] = {1, 2, 3}, b[3];
    copy(3, b, a);
    printf("%d %d\n", b[2], first(b));
    return 0;
}
