//@ property: all verdict: safe
//@ run: gcc
// Floating literals: decimal rounding, hexadecimal, suffixes, forms without digits on one side.
#include <stdio.h>

int main(void) {
    printf("%a %a %a %a\n", 1., .5, 1e3, 1.5E-3);
    printf("%a %a %a\n", 0x1p4, 0x1.8p-1, 0xA.8P+1);
    printf("%a %a\n", 0.1f, 0.1);
    printf("%zu %zu %zu\n", sizeof 1.0f, sizeof 1.0, sizeof 1.0L);
    printf("%a\n", 9007199254740993.0);
    printf("%a\n", 9007199254740993.00000000000000000001);
    printf("%a\n", 2.2250738585072011e-308);
    printf("%a\n", 4.9406564584124654e-324);
    printf("%a\n", 2.4703282292062327e-324);
    printf("%a\n", 2.4703282292062328e-324);
    printf("%a\n", 1.7976931348623157e308);
    printf("%a\n", 123456789012345678901234567890.0);
    printf("%a\n", 0.000000000000000000000000000000000000123);
    printf("%a\n", 1.00000011920928955078125f);
    printf("%a\n", 1.00000017881393432617187499f);
    printf("%a %a\n", 16777217.0f, 0x1.000001p0f);
    printf("%a\n", 1e22 + 1e-22);
    printf("%a %d\n", 0e0, 08.5 == 8.5);
    return 0;
}
