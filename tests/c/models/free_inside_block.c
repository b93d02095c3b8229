//@ model: free
//@ property: invalid-free verdict: unsafe line: 8
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    free(p + 4);
    return 0;
}
