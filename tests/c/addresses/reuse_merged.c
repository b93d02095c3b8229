//@ property: assertion verdict: unsafe line: 12
// Allocators merge a large block that is freed with the free memory behind it: a larger block may begin where it did.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(2000);
    free(old);
    char *larger = malloc(3000);
    // With glibc they are equal.
    assert(larger != old);
    free(larger);
    return 0;
}

//@ known: order assertion unknown(addresses)
