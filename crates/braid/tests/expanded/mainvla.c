// Blocks of the stack in main through which heap blocks are reached.
#include <stdlib.h>

static int n = 2;

int main(void) {
    int *v[n];
    v[0] = 0;
    v[1] = malloc(4);
    int **w = __builtin_alloca(16);
    w[1] = malloc(6);
    n = w[1] != 0;
    return 0;
}
