//@ property: invalid-free verdict: unsafe line: 9
// A small buffer on the stack, a large one on the heap, freed alike.
#include <stdlib.h>

static void use(int n) {
    char local[32];
    char *p = n > 32 ? malloc(n) : local;
    p[0] = 1;
    free(p);
}

int main(void) {
    use(100);
    use(10);
    return 0;
}
