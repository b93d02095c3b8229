//@ model: _exit atexit
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 5
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
    puts("not called");
}

int main(void)
{
    atexit(never);
    puts("leaving");
    fflush(stdout);
    _exit(5);
}
