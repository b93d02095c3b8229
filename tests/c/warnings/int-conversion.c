//@ property: all verdict: safe
//@ run: gcc
//@ warning: 13 int-conversion
//@ warning: 15 int-conversion
// Integers and pointers without a cast; zero is no such thing.
#include <stdio.h>

static long number(long n) { return n; }

int main(void) {
    int x = 5;
    char *none = 0;
    long address = &x;
    printf("%d %d\n", *(int *)address, none == 0);
    printf("%d\n", number(&x) == address);
    return 0;
}
