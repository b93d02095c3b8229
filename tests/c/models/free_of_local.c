//@ model: free
//@ property: invalid-free verdict: unsafe line: 9
#include <stdlib.h>

int main(void)
{
    int local = 5;
    int *p = &local;
    free(p);
    return 0;
}
