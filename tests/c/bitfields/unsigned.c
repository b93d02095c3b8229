//@ property: all verdict: safe
//@ run: gcc
// Unsigned bit-fields wrap; narrow ones promote to int.
#include <stdio.h>

struct u {
    unsigned a : 1, b : 4, c : 12, d : 15;
    unsigned long long wide : 33;
    unsigned char byte : 8;
    unsigned full : 32;
};

int main(void) {
    struct u u = {0};
    u.a = 3;
    u.b = 17;
    u.c = 0xabcd;
    u.d = -1;
    u.wide = ~0ull;
    u.byte = 256 + 7;
    u.full = -1;
    printf("%u %u %x %u %llu %u %u\n", u.a, u.b, u.c, u.d, (unsigned long long)u.wide, u.byte, u.full);
    u.b--;
    u.b -= 2;
    printf("%u\n", u.b);
    u.b = 0;
    u.b--;
    printf("%u\n", u.b);
    u.a += 1;
    printf("%u\n", u.a);
    printf("%d\n", u.b - 20 < 0);
    printf("%d\n", u.full - 20 < 0);
    printf("%d\n", -u.a <= 0);
    printf("%d\n", ~u.b);
    printf("%s\n", _Generic(u.b + 0, int: "int", unsigned: "unsigned", default: "?"));
    printf("%s\n", _Generic(+u.full, int: "int", unsigned: "unsigned", default: "?"));
    u.c <<= 4;
    u.d >>= 3;
    u.c ^= 0xf;
    printf("%x %x\n", u.c, u.d);
    u.wide += 1;
    printf("%d\n", u.wide == 0);
    printf("%zu\n", sizeof(struct u));
    return 0;
}
