//@ property: all verdict: safe
//@ run: gcc
// va_arg of every promoted type, va_copy, passing a va_list on.
#include <stdarg.h>
#include <stdio.h>

struct big { int v[10]; };
struct two { float a, b; };

static void show(const char *types, ...) {
    va_list ap;
    va_start(ap, types);
    for (; *types; types++)
        switch (*types) {
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'u': printf("%u ", va_arg(ap, unsigned)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        case 'd': printf("%g ", va_arg(ap, double)); break;
        case 's': printf("%s ", va_arg(ap, const char *)); break;
        case 'f': printf("%d ", va_arg(ap, int (*)(int))(5)); break;
        case 'B': printf("%d ", va_arg(ap, struct big).v[9]); break;
        case 'T': printf("%g ", va_arg(ap, struct two).b); break;
        case 'L': printf("%Lg ", va_arg(ap, long double)); break;
        case 'h': printf("%lld ", (long long)(va_arg(ap, __int128) >> 64)); break;
        }
    va_end(ap);
    puts("");
}
static int square(int x) { return x * x; }
static int vsum(int n, va_list ap) {
    int s = 0;
    while (n--)
        s += va_arg(ap, int);
    return s;
}
static int sum_twice(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int s = vsum(n, a) * 100;
    s += vsum(n, b);
    va_end(a);
    va_end(b);
    return s;
}
static int format(char *out, size_t n, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int r = vsnprintf(out, n, fmt, ap);
    va_end(ap);
    return r;
}

int main(void) {
    char c = -1;
    short s = -2;
    float f = 1.5f;
    _Bool b = 1;
    show("iiidi", c, s, b, f, 'x');
    show("ulsdf", 4000000000u, -5l, "text", 2.5, square);
    struct big big = {{[9] = 99}};
    show("BTLh", big, (struct two){1, 2}, 0.5L, (__int128)7 << 64);
    show("iiiiiiiidddddddddi", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., 9);
    printf("%d\n", sum_twice(4, 1, 2, 3, 4));
    char text[8];
    int n = format(text, sizeof text, "%s-%d", "abcdef", 12);
    printf("%d %s\n", n, text);
    return 0;
}
