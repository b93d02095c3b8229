//@ property: all verdict: safe
//@ exit: 5
//@ run: gcc
// __attribute__((noreturn)) on declarations, pointers and definitions.
#include <stdio.h>
#include <stdlib.h>

void die(const char *why) __attribute__((noreturn));
typedef void fatal(const char *) __attribute__((__noreturn__));
static void (*handler)(const char *) __attribute__((noreturn)) = die;

static int checked(int n, int d) {
    if (d == 0)
        handler("zero");
    return n / d;
}

void die(const char *why) {
    fprintf(stderr, "fatal: %s\n", why);
    exit(5);
}

int main(void) {
    fatal *f = die;
    printf("%d\n", checked(10, 2));
    printf("%d\n", f != 0);
    fflush(stdout);
    return checked(1, 0);
}
