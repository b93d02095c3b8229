//@ property: out-of-bounds verdict: unsafe line: 11
// An int of which only the first bytes lie inside the block.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *block = malloc(10);
    memset(block, 0, 10);
    int *view = (int *)block;
    int sum = view[0] + view[1];
    sum += view[2];
    free(block);
    return sum;
}
