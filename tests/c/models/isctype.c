//@ model: isctype
//@ property: all verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>

#undef isctype
int isctype(int, int);

int main(void)
{
    assert(isctype('a', _ISalpha));
    assert(!isctype('a', _ISdigit));
    assert(isctype('7', _ISdigit));
    return 0;
}
