//@ model: getenv secure_getenv getpid
//@ property: all verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    const char *value = getenv("BRAID_SURELY_UNSET");
    const char *secure = secure_getenv("BRAID_SURELY_UNSET");
    assert(secure == NULL || value != NULL);
    assert(getpid() > 0);
    assert(getpid() == getpid());
    return 0;
}

//@ known: explicit all unknown(cut)
