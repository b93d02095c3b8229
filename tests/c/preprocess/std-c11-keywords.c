//@ property: all verdict: safe
//@ flags: -std=c11
//@ run: gcc
// In ISO mode `asm` and `typeof` are ordinary identifiers.
#include <stdio.h>

static int typeof(int x) { return x + 1; }

int main(void) {
    int asm = 4;
    printf("%d\n", typeof(asm));
    return 0;
}
