//@ model: strlen strnlen
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

int main(void)
{
    char unterminated[3] = {'x', 'y', 'z'};
    const char *text = "hello";
    printf("%zu %zu %zu\n", strlen(text), strlen(""), strlen(text + 4));
    printf("%zu %zu %zu\n", strnlen(text, 3), strnlen(text, 30), strnlen(unterminated, 3));
    return 0;
}
