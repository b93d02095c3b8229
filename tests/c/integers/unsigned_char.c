//@ property: all verdict: safe
//@ run: gcc
//@ flags: -funsigned-char
/* Plain char is unsigned: in conversions, constants, bit-fields, shifts and comparisons. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bits {
    char narrow : 3;
    signed char kept : 3;
};

static char text[] = "\xff\x80";

_Static_assert((char)-1 > 0, "a constant");
_Static_assert(CHAR_MIN == 0 && CHAR_MAX == 255, "the limits");
_Static_assert('\xff' == 255, "a character");
#if '\xff' < 0
#error "the preprocessor agrees"
#endif

int main(void)
{
    char c = (char)-1;
    signed char s = (signed char)-1;
    struct bits bits = {7, 3};
    char *wrapped = &text[1];

    printf("%d %d %d\n", c, s, c == s);
    printf("%d %d\n", bits.narrow, bits.kept);
    printf("%d %d\n", text[0], *wrapped >> 1);
    printf("%d %d\n", '\x80', '\377' + 1);
    printf("%d\n", 'ab');
    c++;
    printf("%d %d\n", c, c - 1 < 0);
    printf("%d %d\n", strcmp(text, "a") > 0, strchr(text, 0x80) == wrapped);
    printf("%ld %d\n", strtol("-12", 0, 10), atoi("77"));
    return 0;
}
