//@ property: memory,assertion verdict: safe
//@ property: memory-leak verdict: unsafe
//@ property: memory-cleanup verdict: unsafe
// When main has returned, its locals are gone: a block that only they pointed to is lost.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return *p - 1;
}
