//@ model: vprintf vfprintf vdprintf vsprintf vsnprintf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

static void all(const char *format, ...)
{
    char text[64];
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    int n = vprintf(format, list);
    va_end(list);
    n += vfprintf(stderr, format, copy);
    va_end(copy);
    va_start(list, format);
    n += vsprintf(text, format, list);
    va_end(list);
    fputs(text, stdout);
    va_start(list, format);
    n += vsnprintf(text, 6, format, list);
    va_end(list);
    fflush(stdout);
    va_start(list, format);
    n += vdprintf(1, format, list);
    va_end(list);
    printf("%s %d\n", text, n);
}

int main(void)
{
    all("%d %s %c %g %lld\n", 1, "two", '3', 4.5, 5ll);
    all("no arguments\n");
    return 0;
}
