//@ model: asprintf vasprintf
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char *make(const char *format, ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    int n = vasprintf(&text, format, list);
    va_end(list);
    printf("%d ", n);
    return text;
}

int main(void)
{
    char *a;
    int n = asprintf(&a, "%d-%s-%g", 1, "two", 3.5);
    char *b = make("%s %c", "long enough to need some room", 'c');
    printf("%d %s|%s\n", n, a, b);
    free(a);
    free(b);
    return 0;
}
