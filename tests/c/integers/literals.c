//@ property: all verdict: safe
//@ run: gcc
// The type of an integer literal: decimal ones never become unsigned, hex and octal ones may.
#include <stdio.h>

#define TYPE(e) _Generic((e), int: "int", unsigned: "unsigned", long: "long", unsigned long: "unsigned long", \
    long long: "long long", unsigned long long: "unsigned long long", default: "other")

int main(void) {
    puts(TYPE(2147483647));
    puts(TYPE(2147483648));
    puts(TYPE(0x7fffffff));
    puts(TYPE(0x80000000));
    puts(TYPE(0xffffffff));
    puts(TYPE(0x100000000));
    puts(TYPE(037777777777));
    puts(TYPE(9223372036854775807));
    puts(TYPE(0x8000000000000000));
    puts(TYPE(1u));
    puts(TYPE(1UL));
    puts(TYPE(1LLu));
    puts(TYPE(1uLL));
    puts(TYPE(4294967296u));
    puts(TYPE('a'));
    printf("%d %d %d\n", 0b101101, 0777, 0xBeeF);
    printf("%d\n", -2147483648 < 0);
    printf("%d\n", -0x80000000 < 0);
    printf("%d\n", 1000000000 * 4ll == 4000000000);
    printf("%lu\n", 18446744073709551615u);
    printf("%d %d\n", 0, 00);
    printf("%d\n", 1 - -1);
    return 0;
}
