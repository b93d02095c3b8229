//@ unsupported: 10 control depends on addresses
// An address far before its object may be anything.
#include <assert.h>

static char object[8];

int main(void)
{
    char *start = object;
    assert(start - 0x500000 > (char *)0);
    return 0;
}
