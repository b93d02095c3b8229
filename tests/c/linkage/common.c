//@ property: all verdict: safe
//@ files: common-other.c
// Tentative definitions of one name in several files are one object, as with gcc -fcommon.
#include <assert.h>

int shared;
int initialised_elsewhere;
long grows[2];
int bump(void);

int main(void) {
    shared = 5;
    assert(bump() == 6);
    assert(shared == 6);
    assert(initialised_elsewhere == 42);
    assert(grows[1] == 7);
    return 0;
}
