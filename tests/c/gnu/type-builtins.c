//@ property: all verdict: safe
//@ run: gcc
// offsetof, types_compatible_p, choose_expr, constant_p, expect, unreachable.
#include <stdio.h>

struct s { int a; struct { char c; long d[4]; } in; union { int x; char y; }; };
typedef int number;

#define KIND(e) __builtin_choose_expr(__builtin_types_compatible_p(typeof(e), double), "real", \
    __builtin_choose_expr(__builtin_types_compatible_p(typeof(e), int), "integer", "unknown"))

static int sign(int x) {
    if (x > 0)
        return 1;
    else if (x < 0)
        return -1;
    else if (x == 0)
        return 0;
    __builtin_unreachable();
}

int main(void) {
    int i = 2;
    printf("%zu %zu %zu\n", __builtin_offsetof(struct s, in), __builtin_offsetof(struct s, in.d[2]), __builtin_offsetof(struct s, y));
    printf("%zu\n", __builtin_offsetof(struct s, in.d[i]));
    printf("%d %d %d %d\n", __builtin_types_compatible_p(int, number), __builtin_types_compatible_p(int, const int),
           __builtin_types_compatible_p(int *, const int *), __builtin_types_compatible_p(char, signed char));
    printf("%d %d %d\n", __builtin_types_compatible_p(int[], int[3]), __builtin_types_compatible_p(long, long long),
           __builtin_types_compatible_p(int(int), int()));
    printf("%s %s %s\n", KIND(1.0), KIND(i), KIND("x"));
    printf("%zu\n", sizeof(__builtin_choose_expr(0, i, (char)1)));
    printf("%d %d\n", __builtin_constant_p(3 + 4), __builtin_constant_p("text"[0]) >= 0);
    if (__builtin_expect(i == 2, 1))
        puts("expected");
    long e = __builtin_expect(i * 5, 3);
    printf("%ld\n", e);
    printf("%d %d %d\n", sign(9), sign(-9), sign(0));
    int array[__builtin_constant_p(1) ? 3 : 4];
    printf("%zu\n", sizeof array);
    __builtin_prefetch(&i);
    int *aligned = __builtin_assume_aligned(&i, 4);
    printf("%d\n", *aligned);
    return 0;
}
