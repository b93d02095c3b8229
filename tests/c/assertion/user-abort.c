//@ property: all verdict: safe
//@ exit: 4
//@ run: gcc
// A program's own functions may have names close to the library's.
#include <stdio.h>
#include <stdlib.h>

static void my_assert(int c, const char *what) {
    if (!c) {
        printf("failed: %s\n", what);
        exit(4);
    }
}
static void error(void) { puts("error handler"); }

int main(void) {
    my_assert(1 + 1 == 2, "sum");
    error();
    my_assert(2 + 2 == 5, "other sum");
    return 0;
}
