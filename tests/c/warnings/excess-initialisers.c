//@ property: all verdict: safe
//@ run: gcc
//@ warning: 12 excess-initialisers
//@ warning: 13 excess-initialisers
//@ warning: 14 excess-initialisers
// Too many elements are dropped with a warning.
#include <stdio.h>

struct s { int a, b; };

int main(void) {
    int list[2] = {1, 2, 3};
    struct s s = {4, 5, 6};
    char text[3] = "toolong";
    printf("%d %d %d %.3s\n", list[1], s.a, s.b, text);
    return 0;
}
