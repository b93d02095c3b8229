//@ model: realloc
//@ property: invalid-free verdict: unsafe line: 10
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    p[0] = 1;
    free(p);
    p = realloc(p, 8);
    free(p);
    return 0;
}
