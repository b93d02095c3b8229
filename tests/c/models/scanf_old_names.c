//@ model: scanf fscanf sscanf vscanf vfscanf vsscanf
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: 1 2 3 4
#include <stdarg.h>
#include <stdio.h>

/* The headers lead these names to those of a C version; here the plain ones are meant. */
int plain_scanf(const char *, ...) __asm__("scanf");
int plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
int plain_sscanf(const char *, const char *, ...) __asm__("sscanf");
int plain_vscanf(const char *, va_list) __asm__("vscanf");
int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int plain_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");

static int all(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = plain_vscanf(format, list);
    va_end(list);
    va_start(list, format);
    n += plain_vfscanf(stdin, format, list);
    va_end(list);
    va_start(list, format);
    n += plain_vsscanf("77", format, list);
    va_end(list);
    return n;
}

int main(void)
{
    int a, b, c, d;
    printf("%d", plain_scanf("%d", &a));
    printf(" %d", plain_fscanf(stdin, "%d", &b));
    printf(" %d", plain_sscanf("55", "%d", &c));
    printf(" %d", all("%d", &d));
    printf(" %d %d %d %d\n", a, b, c, d);
    return 0;
}
