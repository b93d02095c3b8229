//@ unsupported: 8 goto
// A jump to a label held in a variable.
#include <stdio.h>

static int run(const unsigned char *code) {
    static const void *const table[] = {&&halt, &&inc, &&dbl};
    int acc = 0;
    goto *table[*code++];
inc:
    acc++;
    goto *table[*code++];
dbl:
    acc *= 2;
    goto *table[*code++];
halt:
    return acc;
}

int main(void) {
    unsigned char code[] = {1, 2, 2, 1, 0};
    printf("%d\n", run(code));
    return 0;
}
