//@ property: assertion verdict: safe
// Small blocks are kept for requests of their own size: a larger block lies elsewhere.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(8);
    free(old);
    char *larger = malloc(64);
    assert(larger != old);
    free(larger);
    return 0;
}

//@ known: order assertion unknown(addresses)
