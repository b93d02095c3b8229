//@ property: all verdict: safe
//@ run: gcc
// mode chooses a width; a weak definition stands if no strong one exists; a weak reference may be null.
#include <stdio.h>

typedef int qi __attribute__((mode(QI)));
typedef unsigned int uhi __attribute__((mode(HI)));
typedef int di __attribute__((mode(DI)));
typedef int ti __attribute__((__mode__(__TI__)));
typedef float df __attribute__((mode(DF)));

__attribute__((weak)) int level = 3;
__attribute__((weak)) int compute(int x) { return x * 3; }
extern void missing(void) __attribute__((weak));

int main(void) {
    printf("%zu %zu %zu %zu %zu\n", sizeof(qi), sizeof(uhi), sizeof(di), sizeof(ti), sizeof(df));
    qi q = 200;
    uhi u = 70000;
    printf("%d %d\n", q, u);
    printf("%d %d\n", level, compute(5));
    if (missing)
        missing();
    else
        puts("missing");
    return 0;
}
