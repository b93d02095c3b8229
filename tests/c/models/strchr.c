//@ model: strchr strchrnul strrchr index rindex
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    const char *text = "a/b/c";
    printf("%s %s %d\n", strchr(text, '/'), strrchr(text, '/'), strchr(text, 'x') == NULL);
    printf("%s %s %d\n", index(text, 'b'), rindex(text, 'b'), rindex(text, 'x') == NULL);
    printf("%d %d\n", (int)(strchr(text, 0) - text), (int)(strrchr(text, 0) - text));
    printf("[%s] %s\n", strchrnul(text, 'x'), strchrnul(text, 'c'));
    printf("%s\n", strchr("tail", 'a' + 256));
    return 0;
}
