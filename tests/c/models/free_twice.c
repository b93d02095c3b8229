//@ model: free
//@ property: invalid-free verdict: unsafe line: 10
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    char *q = p;
    free(p);
    free(q);
    return 0;
}
