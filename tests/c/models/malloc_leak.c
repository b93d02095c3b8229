//@ model: malloc
//@ property: memory verdict: safe
//@ property: memory-leak verdict: unsafe
#include <stdlib.h>

static void lose(void)
{
    char *p = malloc(10);
    p[0] = 1;
}

int main(void)
{
    lose();
    return 0;
}
