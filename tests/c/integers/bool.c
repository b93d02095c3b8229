//@ property: all verdict: safe
//@ run: gcc
// _Bool holds 0 or 1 whatever is stored; conversion is a comparison with zero, not a truncation.
#include <stdio.h>

static _Bool from_int(int x) { return x; }
static _Bool from_double(double x) { return x; }
static _Bool from_pointer(const char *p) { return p; }

int main(void) {
    _Bool b = 256;
    printf("%d %d %d\n", b, from_int(0x10000), from_int(0));
    printf("%d %d %d\n", from_double(0.25), from_double(-0.0), from_double(1e-300));
    printf("%d %d\n", from_pointer("x"), from_pointer(0));
    b = 0;
    b--;
    printf("%d\n", b);
    b--;
    printf("%d\n", b);
    b++;
    b++;
    printf("%d\n", b);
    b += 5;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    b |= 6;
    printf("%d\n", b);
    b ^= 1;
    printf("%d\n", b);
    b = 1;
    b <<= 4;
    printf("%d %zu\n", b, sizeof b);
    printf("%d\n", (_Bool)0x100 + (_Bool)0.5f);
    _Bool flags[4] = {2, 0, -1};
    printf("%d%d%d%d\n", flags[0], flags[1], flags[2], flags[3]);
    return 0;
}
