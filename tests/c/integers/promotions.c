//@ property: all verdict: safe
//@ run: gcc
// Everything narrower than int is promoted to int before arithmetic: the types and the values show it.
#include <stdio.h>

#define TYPE(e) _Generic((e), char: "char", signed char: "schar", unsigned char: "uchar", short: "short", \
    unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", \
    long long: "llong", unsigned long long: "ullong", _Bool: "bool", default: "other")

int main(void) {
    char c = 1;
    signed char sc = -1;
    unsigned char uc = 255;
    short s = -300;
    unsigned short us = 65535;
    _Bool b = 1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    long long ll = -1;

    printf("%s %s %s %s\n", TYPE(+c), TYPE(-sc), TYPE(~uc), TYPE(!us));
    printf("%s %s %s %s\n", TYPE(c + c), TYPE(uc + us), TYPE(b + b), TYPE(s << ul));
    printf("%s %s %s %s\n", TYPE(u + l), TYPE(ul + ll), TYPE(l + ll), TYPE(u + s));
    printf("%s %s %s\n", TYPE(1 ? c : uc), TYPE(1 ? u : l), TYPE((c, us)));
    printf("%s %s %s\n", TYPE(c += 1000), TYPE(us++), TYPE(--sc));
    printf("%d %d %d\n", uc + 1, us + 1, (unsigned char)(uc + 1));
    printf("%d %d %d\n", ~uc, (unsigned char)~uc, -us);
    printf("%d\n", us * 2 > 0);
    printf("%d\n", (unsigned short)(us * 2));
    printf("%d %d\n", ~b, !b);
    printf("%zu %zu %zu\n", sizeof(+c), sizeof(c + 0L), sizeof(b ? c : c));
    return 0;
}
