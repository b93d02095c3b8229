//@ property: assertion verdict: unsafe
// The address of a block that is over is compared with that of a new one, in a switch.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(8);
    int *same = old;
    free(old);
    int *new = malloc(8);
    switch (same == new) {
    case 1:
        assert(0);
    }
    return 0;
}

//@ known: order assertion unknown(addresses)
