//@ property: memory,assertion,memory-leak,memory-cleanup verdict: safe
//@ exit: 134
// A lost block and one that is still held do not count where abort ends the program: abort ends it abnormally.
#include <stdlib.h>

static int *held;

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    p = 0;
    held = malloc(sizeof *held);
    *held = 2;
    abort();
}
