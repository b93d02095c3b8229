//@ model: posix_memalign
//@ property: all verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    int marker;
    void *p = &marker;
    assert(posix_memalign(&p, 3, 10) == EINVAL);
    assert(posix_memalign(&p, sizeof(void *) * 3, 10) == EINVAL);
    assert(posix_memalign(&p, 0, 10) == EINVAL);
    assert(p == &marker);
    return 0;
}
