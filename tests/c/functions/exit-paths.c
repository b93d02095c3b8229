//@ property: all verdict: safe
//@ exit: 37
//@ run: gcc
// exit from deep inside runs the atexit handlers in reverse and gives the code modulo 256.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first registered"); }
static void second(void) { puts("second registered"); }
static void third(void) {
    puts("third registered");
    atexit(first);
}

static int dive(int n) {
    if (n == 0)
        exit(256 + 37);
    int r = dive(n - 1);
    puts("never");
    return r;
}

int main(void) {
    atexit(first);
    atexit(second);
    atexit(third);
    printf("diving\n");
    dive(5);
    return 1;
}
