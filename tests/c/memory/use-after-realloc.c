//@ property: use-after-free verdict: unsafe line: 11
// realloc frees the old block even when it could have grown in place.
#include <stdlib.h>

int main(void) {
    int *a = malloc(2 * sizeof *a);
    a[0] = 1;
    int *first = &a[0];
    a = realloc(a, 1000 * sizeof *a);
    int sum = a[0];
    sum += *first;
    free(a);
    return sum;
}
