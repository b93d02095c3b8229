//@ property: assertion verdict: unsafe line: 12
//@ property: memory,data-race,deadlock verdict: safe
// A new block may lie where the freed one was.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(8);
    free(old);
    char *new = malloc(16);
    assert(old != new);
    free(new);
    return 0;
}

//@ known: order memory,data-race,deadlock,assertion unknown(addresses)
