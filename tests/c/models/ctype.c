//@ model: isalpha isdigit isalnum isspace isupper islower ispunct isprint isgraph iscntrl isxdigit isblank isascii tolower toupper toascii
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    for (int c = -1; c < 256; c++) {
        int classes = 0;
        /* In parentheses: the functions, not the macros. */
        int (*const tests[])(int) = {isalpha, isdigit, isalnum, isspace, isupper, islower, ispunct,
                                     isprint, isgraph, iscntrl, isxdigit, isblank};
        for (int i = 0; i < 12; i++)
            classes = classes * 2 + (tests[i](c) != 0);
        printf("%d: %d %d %d %d %d\n", c, classes, (tolower)(c), (toupper)(c), (isascii)(c) != 0, (toascii)(c));
    }
    return 0;
}
