//@ property: all verdict: safe
//@ run: gcc
// __auto_type takes the type of its initialiser, after decay.
#include <stdio.h>

#define MIN(x, y) ({ __auto_type x_ = (x); __auto_type y_ = (y); x_ < y_ ? x_ : y_; })
#define NAME(v) _Generic((v), int: "int", unsigned: "unsigned", double: "double", float: "float", char: "char", \
    char *: "char *", const char *: "const char *", long: "long", int *: "int *", default: "other")

static int f(int x) { return x + 1; }

int main(void) {
    __auto_type a = 5;
    __auto_type b = 2.5f;
    __auto_type c = 'c';
    __auto_type d = (char)1;
    __auto_type e = "text";
    int array[3] = {1, 2, 3};
    __auto_type g = array;
    __auto_type h = f;
    __auto_type u = 1u - 2;
    const int k = 7;
    __auto_type m = k;
    m++;
    printf("%s %s %s %s %s %s %s\n", NAME(a), NAME(b), NAME(c), NAME(d), NAME(e), NAME(g), NAME(u));
    printf("%d %d %d %u\n", h(1), g[2], m, u);
    printf("%d %g %ld\n", MIN(3, 2), MIN(1.5, 2), MIN(-1l, 5));
    struct { int x, y; } p = {1, 2};
    __auto_type q = p;
    q.x = 10;
    printf("%d %d\n", p.x, q.x + q.y);
    for (__auto_type i = 0l; i < 2; i++)
        printf("%ld ", i);
    puts("");
    return 0;
}
