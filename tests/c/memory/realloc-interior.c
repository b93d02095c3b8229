//@ property: invalid-free verdict: unsafe line: 7
// realloc of a pointer into a block.
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a);
    int *b = realloc(a + 1, 8 * sizeof *a);
    free(b);
    return 0;
}
