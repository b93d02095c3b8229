//@ unsupported: 8 asm
// Inline assembly with operands.
#include <stdio.h>

int main(void) {
    int in = 5, out;
    printf("before\n");
    asm("leal 1(%1), %0" : "=r"(out) : "r"(in));
    printf("%d\n", out);
    return 0;
}
