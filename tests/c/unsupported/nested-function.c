//@ unsupported: 9 nested
// A function inside a function that uses its locals.
#include <stdio.h>

int main(void) {
    int base = 10;
    int add(int x) { return base + x; }
    puts("before");
    printf("%d\n", add(5));
    return 0;
}
