//@ model: __strcpy_chk __chk_fail
//@ property: all verdict: safe
//@ exit: 134
#include <string.h>

char *__strcpy_chk(char *, const char *, size_t);

int main(void)
{
    char text[4];
    /* Does not fit: the program is ended before anything is written. */
    __strcpy_chk(text, "four", sizeof text);
    return text[0];
}
