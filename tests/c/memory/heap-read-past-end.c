//@ property: out-of-bounds verdict: unsafe line: 9
// One element past a heap block.
#include <stdlib.h>

int main(void) {
    int n = 5, sum = 0;
    int *a = calloc(n, sizeof *a);
    for (int i = 0; i <= n; i++)
        sum += a[i];
    free(a);
    return sum;
}
