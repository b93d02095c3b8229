//@ property: use-after-free verdict: unsafe line: 8
// When exit handlers run, main's objects are gone.
#include <stdlib.h>

static int *p;
static void handler(void)
{
    *p = 2;
}

int main(void)
{
    int x = 1;
    p = &x;
    atexit(handler);
    return 0;
}
