//@ property: memory,assertion verdict: safe
//@ property: memory-leak verdict: unsafe
//@ property: memory-cleanup verdict: unsafe
// A block whose only pointer is overwritten.
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    *p = 1;
    p = malloc(4);
    *p = 2;
    free(p);
    p = 0;
    return 0;
}
