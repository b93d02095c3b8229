//@ property: all verdict: safe
//@ run: gcc
// Variadic functions called through pointers and tables; va_list by pointer; none given.
#include <stdarg.h>
#include <stdio.h>

typedef int reducer(int n, ...);

static int add(int n, ...) {
    int r = 0;
    va_list ap;
    va_start(ap, n);
    while (n-- > 0)
        r += va_arg(ap, int);
    va_end(ap);
    return r;
}
static int max(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int best = n ? va_arg(ap, int) : -1;
    for (int i = 1; i < n; i++) {
        int x = va_arg(ap, int);
        if (x > best)
            best = x;
    }
    va_end(ap);
    return best;
}
static int next(va_list *ap) { return va_arg(*ap, int); }
static int pairs(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int s = 0;
    for (int i = 0; i < n; i++) {
        int a = next(&ap);
        s += a * next(&ap);
    }
    va_end(ap);
    return s;
}

int main(void) {
    reducer *table[] = {add, max, pairs};
    for (int i = 0; i < 3; i++)
        printf("%d ", table[i](2, 3, 4, 5, 6));
    printf("%d %d\n", add(0), max(0));
    int (*print)(const char *, ...) = printf;
    print("%s %d %c\n", "via pointer", 7, '!');
    printf("%d\n", (*table[1])(3, -3, -1, -2));
    return 0;
}
