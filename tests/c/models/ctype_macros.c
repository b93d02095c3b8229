//@ model: __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max
//@ property: all verdict: safe
//@ run: gcc
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const char *text = "Hello, World 42\t!";
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        printf("%c%d%d%d%d%d%d ", isprint(c) ? c : '?', isalpha(c) != 0, isdigit(c) != 0, isspace(c) != 0,
               isupper(c) != 0, ispunct(c) != 0, isxdigit(c) != 0);
    }
    printf("\n%d %d\n", isalpha(EOF), isspace(EOF));
    for (int c = -128; c < 256; c += 37)
        printf("%d %d %d\n", (*__ctype_b_loc())[c], (*__ctype_tolower_loc())[c], (*__ctype_toupper_loc())[c]);
    for (const char *p = text; *p; p++)
        putchar(toupper((unsigned char)*p));
    for (const char *p = text; *p; p++)
        putchar(tolower((unsigned char)*p));
    printf("\n%d\n", (int)MB_CUR_MAX);
    return 0;
}
