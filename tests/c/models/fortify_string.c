//@ model: __strcpy_chk __stpcpy_chk __strncpy_chk __stpncpy_chk __strcat_chk __strncat_chk
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>

char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);

int main(void)
{
    char text[10];
    puts(__strcpy_chk(text, "123456789", sizeof text));
    printf("%d %s\n", (int)(__stpcpy_chk(text, "ab", sizeof text) - text), text);
    puts(__strcat_chk(text, "cd", sizeof text));
    puts(__strncat_chk(text, "efgh", 2, sizeof text));
    puts(__strncpy_chk(text, "xyz", 2, sizeof text));
    printf("%d %s\n", (int)(__stpncpy_chk(text, "u", 3, sizeof text) - text), text);
    return 0;
}
