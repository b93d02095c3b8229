//@ property: use-after-free verdict: unsafe line: 13
// A freed block reached through an integer copy of its address.
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 3;
    uintptr_t saved = (uintptr_t)p ^ 0xff;
    int *again = (int *)(saved ^ 0xff);
    int v = *again;
    free(p);
    return v + *again;
}
