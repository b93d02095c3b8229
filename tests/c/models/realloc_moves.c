//@ model: realloc
//@ property: use-after-free verdict: unsafe line: 13
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    int *old = p;
    *p = 1;
    p = realloc(p, 1000 * sizeof *p);
    p[999] = 2;
    /* The old block is gone, wherever the new one is. */
    *old = 3;
    free(p);
    return 0;
}
