//@ property: use-after-free verdict: unsafe line: 14
//@ property: assertion,data-race,deadlock verdict: safe
// The freed pointer is still a pointer to the freed block, though a new block has the same address.
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    int *new = malloc(sizeof *new);
    *new = 1;
    int found = 0;
    if (old == new)
        found = *old;
    free(new);
    return found > 1;
}

//@ known: order use-after-free unknown(addresses)
