//@ model: malloc
//@ property: out-of-bounds verdict: unsafe line: 9
#include <stdlib.h>

int main(void)
{
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i <= 4; i++)
        a[i] = i;
    free(a);
    return 0;
}
