//@ model: malloc calloc realloc reallocarray
//@ property: all verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    volatile size_t huge = SIZE_MAX / 2 + 1;
    errno = 0;
    assert(malloc(huge) == NULL);
    assert(errno == ENOMEM);
    errno = 0;
    assert(calloc(huge, 4) == NULL);
    assert(errno == ENOMEM);
    char *p = malloc(3);
    p[2] = 'x';
    assert(realloc(p, huge) == NULL);
    assert(reallocarray(p, huge, 8) == NULL);
    assert(p[2] == 'x');
    free(p);
    return 0;
}
