//@ property: memory verdict: safe
//@ property: assertion,data-race,deadlock verdict: safe
// The new pointer is good, whatever the address.
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    int *new = malloc(sizeof *new);
    *new = 1;
    int found = 0;
    if (old == new)
        found = *new;
    free(new);
    return found > 1;
}

//@ known: order all unknown(addresses)
