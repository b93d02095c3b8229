//@ property: all verdict: safe
//@ model: tmpnam tmpnam_r
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[L_tmpnam];
    assert(tmpnam(name) == name);
    assert(!strncmp(name, "/tmp/file", 9) && strlen(name) == 15);
    assert(tmpnam(NULL) == tmpnam(NULL));
    assert(tmpnam_r(NULL) == NULL);
    assert(tmpnam_r(name) == name);
    return 0;
}

//@ known: explicit all unknown(cut)
