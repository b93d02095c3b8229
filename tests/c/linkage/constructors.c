//@ property: all verdict: safe
//@ files: constructors-other.c
//@ run: gcc
// Constructors with priorities across files.
#include <stdio.h>

int stage;
__attribute__((constructor(500))) static void init(void) { stage = stage * 10 + 5; }
__attribute__((constructor(101))) static void init_first(void) { stage = stage * 10 + 1; }

int main(void) {
    printf("%d\n", stage);
    return 0;
}
