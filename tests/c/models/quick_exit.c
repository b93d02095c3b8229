//@ model: quick_exit at_quick_exit
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 7
#include <stdio.h>
#include <stdlib.h>

static void one(void)
{
    puts("one");
    fflush(stdout);
}

static void two(void)
{
    puts("two");
}

static void never(void)
{
    puts("not called");
}

int main(void)
{
    atexit(never);
    at_quick_exit(one);
    at_quick_exit(two);
    quick_exit(7);
}
