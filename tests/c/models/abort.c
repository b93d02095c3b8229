//@ model: abort
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 134
#include <stdio.h>
#include <stdlib.h>

static void never(void)
{
    fputs("not called\n", stderr);
}

int main(void)
{
    atexit(never);
    fputs("aborting\n", stderr);
    abort();
}
