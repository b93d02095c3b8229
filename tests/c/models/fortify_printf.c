//@ model: __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk __vprintf_chk __vfprintf_chk __vsprintf_chk __vsnprintf_chk
//@ property: all verdict: safe
//@ run: gcc
#include <stdarg.h>
#include <stdio.h>

int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);

static char text[32];

static void all(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    __vprintf_chk(1, format, list);
    va_end(list);
    va_start(list, format);
    __vfprintf_chk(stderr, 1, format, list);
    va_end(list);
    va_start(list, format);
    printf("%d %s\n", __vsprintf_chk(text, 1, sizeof text, format, list), text);
    va_end(list);
    va_start(list, format);
    printf("%d %s\n", __vsnprintf_chk(text, 4, 1, sizeof text, format, list), text);
    va_end(list);
}

int main(void)
{
    __printf_chk(1, "%d-%s\n", 1, "x");
    __fprintf_chk(stderr, 1, "%d-%s\n", 2, "y");
    printf("%d %s\n", __sprintf_chk(text, 1, sizeof text, "%05d", 42), text);
    printf("%d %s\n", __snprintf_chk(text, 4, 1, sizeof text, "%05d", 42), text);
    all("%c%c %g\n", 'a', 'b', 0.25);
    return 0;
}
