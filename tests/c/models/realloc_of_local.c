//@ model: realloc
//@ property: invalid-free verdict: unsafe line: 10
#include <stdlib.h>

int main(void)
{
    int local[4] = {1, 2, 3, 4};
    int *p = local;
    /* Not a block of the heap. */
    p = realloc(p, 100);
    free(p);
    return 0;
}
