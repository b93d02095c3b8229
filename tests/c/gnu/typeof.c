//@ property: all verdict: safe
//@ run: gcc
// typeof of expressions and types; the operand is not evaluated.
#include <stdio.h>

#define swap(a, b) do { typeof(a) tmp_ = (a); (a) = (b); (b) = tmp_; } while (0)

static double scale(double d) { return d * 2; }

int main(void) {
    int i = 1;
    typeof(i++) j = 2.9;
    printf("%d %d\n", i, j);
    typeof(int *) p = &i, q = &j;
    *p = *q + 5;
    printf("%d\n", i);
    __typeof__(scale) *f = scale;
    printf("%g\n", f(1.5));
    const int constant = 5;
    typeof(constant + 0) copy = constant;
    copy++;
    printf("%d\n", copy);
    typeof("text") buffer = "four";
    printf("%zu %s\n", sizeof buffer, buffer);
    struct s { int a[3]; } s = {{1, 2, 3}};
    typeof(s.a) a = {7, 8};
    typeof(s) t = s;
    typeof(&s.a[0]) first = t.a;
    printf("%d %d %d\n", a[1], a[2], *first);
    swap(a[0], t.a[1]);
    swap(s, t);
    printf("%d %d %d\n", a[0], t.a[1], s.a[1]);
    return 0;
}
