//@ unsupported: 9 control depends on addresses
// A number may be the address of something.
#include <assert.h>

static int object;

int main(void)
{
    assert((long)&object != 0x38000000000L);
    return 0;
}
