//@ property: all verdict: safe
//@ run: gcc
// _Static_assert in every place where a declaration may stand.
#include <assert.h>
#include <stddef.h>
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int");
static_assert(1 + 1 == 2, "joined " "message");
enum { N = 5 };
_Static_assert(N > 4 && N * 2 < 11, "constants");
_Static_assert((unsigned char)-1 == 255 && (signed char)255 == -1, "casts");
_Static_assert(-1 / 2 == 0 && -3 % 2 == -1 && (-8 >> 1) == -4, "arithmetic");
_Static_assert(0x7fffffff + 1u == 0x80000000, "unsigned");
_Static_assert((N == 5 ? 1 : 1 / 0), "the arm not taken is not evaluated");
_Static_assert(sizeof(struct { char c; double d; }) == 16, "anonymous struct");
_Static_assert(1.5 * 2 == 3.0 || 1, "floating");
_Static_assert(_Generic(1u, unsigned: 1, default: 0), "generic");
_Static_assert(sizeof "abc" == 4, "string");
_Static_assert('\377' < 0, "signed char");
_Static_assert((int)1.9 == 1, "truncation");
_Static_assert((unsigned __int128)-1 > 0xffffffffffffffffull, "wide");

struct s {
    int a;
    _Static_assert(sizeof(int) == sizeof(unsigned), "inside a struct");
    char b;
};
_Static_assert(offsetof(struct s, b) == 4, "offset");

int main(void) {
    _Static_assert(1, "block");
    int x = 1;
    _Static_assert(sizeof x == 4, "after a declaration");
    for (_Static_assert(1, "no"); x < 3; x++)
        { _Static_assert(2 > 1); }
    printf("%d\n", x);
    return 0;
}
