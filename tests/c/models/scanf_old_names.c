//@ model: scanf fscanf sscanf vscanf vfscanf vsscanf
//@ property: all verdict: safe
//@ run: gcc
//@ flags: -std=gnu89
//@ stdin: 1 2 3 4
#include <stdarg.h>
#include <stdio.h>

static int all(const char *format, ...)
{
    va_list list;
    int n;
    va_start(list, format);
    n = vscanf(format, list);
    va_end(list);
    va_start(list, format);
    n += vfscanf(stdin, format, list);
    va_end(list);
    va_start(list, format);
    n += vsscanf("77", format, list);
    va_end(list);
    return n;
}

int main()
{
    int a, b, c, d;
    printf("%d", scanf("%d", &a));
    printf(" %d", fscanf(stdin, "%d", &b));
    printf(" %d", sscanf("55", "%d", &c));
    printf(" %d", all("%d", &d));
    printf(" %d %d %d %d\n", a, b, c, d);
    return 0;
}
