//@ model: __isoc99_vscanf __isoc99_vfscanf __isoc99_vsscanf
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: 5 six 7 eight
#include <stdarg.h>
#include <stdio.h>

static int from_input(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vscanf(format, list);
    va_end(list);
    return n;
}

static int from_stream(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vfscanf(stream, format, list);
    va_end(list);
    return n;
}

static int from_text(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}

int main(void)
{
    int a, b, c;
    char x[10], y[10], z[10];
    printf("%d ", from_input("%d %9s", &a, x));
    printf("%d ", from_stream(stdin, "%d %9s", &b, y));
    printf("%d\n", from_text("9:ten", "%d:%9s", &c, z));
    printf("%d %s %d %s %d %s\n", a, x, b, y, c, z);
    return 0;
}
