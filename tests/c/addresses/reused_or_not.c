//@ property: assertion,memory,data-race,deadlock verdict: safe
// A new block may lie where the freed one was, or elsewhere; a live one lies elsewhere.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(8), *kept = malloc(8);
    free(old);
    assert(old != kept);
    char *first = malloc(8), *second = malloc(8);
    int same = (old == first) + (old == second);
    assert(same == 0 || same == 1);
    free(first);
    free(second);
    free(kept);
    return 0;
}

//@ known: order all unknown(addresses)
