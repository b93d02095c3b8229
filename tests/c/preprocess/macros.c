//@ property: all verdict: safe
//@ run: gcc
// What the preprocessor does is seen unchanged: stringising, pasting, variadic macros, line numbers.
#include <stdio.h>

#define CAT(a, b) a##b
#define SHOW(fmt, ...) printf(fmt "\n", ##__VA_ARGS__)
#define X_LIST X(red, 1) X(green, 2) X(blue, 4)
enum {
#define X(name, value) name = value,
    X_LIST
#undef X
};
static const char *names[] = {
#define X(name, value) [value] = #name,
    X_LIST
#undef X
};
#define SWAP(type, a, b) do { type t_ = a; a = b; b = t_; } while (0)
#define TWICE(x) ((x) + (x))

int main(void) {
    int CAT(var, 1) = 5, var2 = 6;
    SWAP(int, var1, var2);
    SHOW("plain");
    SHOW("%d %d", var1, var2);
    printf("%s %s %d\n", names[2], names[4], red | blue);
    printf("%d %d\n", __LINE__, TWICE(var1 << 1));
#line 1000
    printf("%d\n", __LINE__);
    printf("%d\n", __COUNTER__ + __COUNTER__);
    return __STDC__ != 1;
}
