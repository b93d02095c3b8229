//@ model: exit atexit
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 4
#include <stdio.h>
#include <stdlib.h>

static void bye(void)
{
    puts("bye");
}

int main(void)
{
    atexit(bye);
    return 4;
}
