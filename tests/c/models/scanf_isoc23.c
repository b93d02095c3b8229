//@ model: __isoc23_scanf __isoc23_fscanf __isoc23_sscanf __isoc23_vscanf __isoc23_vfscanf __isoc23_vsscanf
//@ property: all verdict: safe
//@ stdin: 1 2 3 4
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* The names that newer headers use; older libraries lack them. */
int __isoc23_scanf(const char *, ...);
int __isoc23_fscanf(FILE *, const char *, ...);
int __isoc23_sscanf(const char *, const char *, ...);
int __isoc23_vscanf(const char *, va_list);
int __isoc23_vfscanf(FILE *, const char *, va_list);
int __isoc23_vsscanf(const char *, const char *, va_list);

static int all(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __isoc23_vscanf(format, list);
    va_end(list);
    va_start(list, format);
    n += __isoc23_vfscanf(stdin, format, list);
    va_end(list);
    va_start(list, format);
    n += __isoc23_vsscanf("77", format, list);
    va_end(list);
    return n;
}

int main(void)
{
    int a, b, c, d;
    /* With an unknown input only the fixed text is certain. */
    int n = __isoc23_scanf("%d", &a) + __isoc23_fscanf(stdin, "%d", &b);
    assert(n <= 2);
    assert(__isoc23_sscanf("55", "%d", &c) == 1 && c == 55);
    all("%d", &d);
    assert(d == 77);
    return 0;
}
