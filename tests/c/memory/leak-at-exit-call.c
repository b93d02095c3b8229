//@ property: memory,assertion verdict: safe
//@ property: memory-leak verdict: unsafe
//@ property: memory-cleanup verdict: unsafe
// The twin of leak-at-abort.c: exit ends the program normally, so both blocks count.
#include <stdlib.h>

static int *held;

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    p = 0;
    held = malloc(sizeof *held);
    *held = 2;
    exit(0);
}
