//@ model: free
//@ property: use-after-free verdict: unsafe line: 10
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 3;
    free(p);
    return *p;
}
