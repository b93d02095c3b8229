//@ model: memmove
//@ property: use-after-free verdict: unsafe line: 11
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(8);
    memset(p, 'x', 8);
    free(p);
    memmove(p, p + 2, 4);
    return 0;
}
