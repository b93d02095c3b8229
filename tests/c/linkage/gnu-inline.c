//@ property: all verdict: safe
//@ files: gnu-inline-other.c
//@ run: gcc
// With gnu_inline, `extern inline` is only a hint: the external definition is elsewhere.
#include <stdio.h>

extern inline __attribute__((gnu_inline)) int triple(int x) { return x * 3; }
int (*address(void))(int);
int triple(int x);

int main(void) {
    printf("%d\n", triple(5));
    printf("%d\n", address() == triple);
    return 0;
}
