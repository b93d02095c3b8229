//@ model: strdup __strdup strndup __strndup
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *__strdup(const char *);
char *__strndup(const char *, size_t);

int main(void)
{
    char unterminated[3] = {'a', 'b', 'c'};
    char *a = strdup("hello");
    char *b = strndup("hello", 3);
    char *c = strndup("hi", 10);
    char *d = __strdup("");
    char *e = __strndup(unterminated, 3);
    a[0] = 'J';
    printf("%s %s %s [%s] %s\n", a, b, c, d, e);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return 0;
}
