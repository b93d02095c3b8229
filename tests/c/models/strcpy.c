//@ model: strcpy strncpy stpcpy __stpcpy stpncpy
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

char *__stpcpy(char *, const char *);

int main(void)
{
    char a[16];
    memset(a, '#', sizeof a);
    printf("%s %c\n", strcpy(a, "hello"), a[6]);
    strncpy(a, "abcdefgh", 3);
    printf("%s\n", a);
    strncpy(a, "xy", 6);
    printf("%s %d %d %c\n", a, a[2], a[5], a[6]);
    char *end = stpcpy(stpcpy(a, "one"), "two");
    printf("%s %d\n", a, (int)(end - a));
    printf("%d\n", (int)(__stpcpy(a, "") - a));
    printf("%d %d\n", (int)(stpncpy(a, "abc", 2) - a), (int)(stpncpy(a, "abc", 8) - a));
    printf("%s\n", a);
    return 0;
}
