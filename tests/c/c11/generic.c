//@ property: all verdict: safe
//@ run: gcc
// _Generic selects by the type after decay, without qualifiers; only the chosen arm is evaluated.
#include <stdio.h>

#define NAME(x) _Generic((x), \
    _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", short: "short", int: "int", \
    unsigned: "uint", long: "long", long long: "llong", float: "float", double: "double", long double: "ldouble", \
    char *: "char *", const char *: "const char *", void *: "void *", int (*)[3]: "int (*)[3]", \
    int (*)(int): "function", struct s: "struct s", default: "default")
#define abs_of(x) _Generic((x), int: abs_int, double: abs_double, default: abs_int)(x)

struct s { int x; };
static int abs_int(int x) { return x < 0 ? -x : x; }
static double abs_double(double x) { return x < 0 ? -x : x; }
static int fn(int x) { return x; }

int main(void) {
    const int ci = 1;
    volatile short vs = 2;
    int a[3] = {0};
    struct s s = {5};
    const struct s cs = {6};
    enum e { E } e = E;
    unsigned bits = 3;
    printf("%s %s %s %s\n", NAME(ci), NAME(vs), NAME('a'), NAME((char)'a'));
    printf("%s %s %s\n", NAME("text"), NAME((const char *)0), NAME((void *)0));
    printf("%s %s %s %s\n", NAME(&a), NAME(fn), NAME(s), NAME(cs));
    printf("%s %s %s %s\n", NAME(1.f), NAME(1.), NAME(1.L), NAME(1ll));
    printf("%s %s %s\n", NAME(E), NAME(e), NAME(1 == 1));
    printf("%s %s\n", NAME((_Bool)1), NAME(!bits));
    printf("%d %g\n", abs_of(-3), abs_of(-2.5));
    int evaluated = 0;
    int r = _Generic(evaluated++, int: 7, default: evaluated += 100);
    printf("%d %d\n", r, evaluated);
    _Generic(0, int: a[1], default: s) = 9;
    printf("%d\n", a[1]);
    printf("%d\n", _Generic(s, default: 1, struct s: s.x));
    return 0;
}
