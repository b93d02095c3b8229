//@ model: __fgets_chk __fread_chk __read_chk
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: line one\nline two\nrest
#include <stdio.h>
#include <unistd.h>

char *__fgets_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
ssize_t __read_chk(int, void *, size_t, size_t);

int main(void)
{
    char text[32];
    printf("%s", __fgets_chk(text, sizeof text, 20, stdin));
    size_t n = __fread_chk(text, sizeof text, 1, 9, stdin);
    printf("%.*s", (int)n, text);
    n = __fread_chk(text, sizeof text, 1, 30, stdin);
    printf("%.*s|%d\n", (int)n, text, (int)__read_chk(0, text, 5, sizeof text));
    return 0;
}
