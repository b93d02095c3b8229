//@ property: all verdict: safe
//@ run: gcc
//@ warning: 8 implicit-function
// A function used before any declaration is taken as `int f()`; one warning for each name.
#include <stdio.h>

int main(void) {
    printf("%d\n", later(20, 1) +
                       later(1, 1));
    return 0;
}

int later(int a, int b) { return a * 2 + b; }
