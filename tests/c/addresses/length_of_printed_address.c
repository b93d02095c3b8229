//@ unsupported: 12 control depends on addresses
// How an address is printed is of no interest; how many characters that takes is, if somebody asks.
#include <assert.h>
#include <stdio.h>

static int object;

int main(void)
{
    printf("%p\n", (void *)&object);
    int length = printf("%p\n", (void *)&object);
    assert(length != 15);
    return 0;
}
