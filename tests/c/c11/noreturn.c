//@ property: all verdict: safe
//@ exit: 3
//@ run: gcc
// _Noreturn functions need no return after them.
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>

static _Noreturn void stop(int code) {
    printf("stopping with %d\n", code);
    exit(code);
}
static noreturn void loop_or_stop(int n) {
    for (;;)
        if (n-- == 0)
            stop(3);
}
static int parse(const char *s) {
    if (*s >= '0' && *s <= '9')
        return *s - '0';
    loop_or_stop(4);
}

int main(void) {
    printf("%d\n", parse("7"));
    printf("%d\n", parse("x"));
    puts("never");
}

//@ known: order all unknown(loop-bound)
