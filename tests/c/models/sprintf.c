//@ model: sprintf snprintf
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[20];
    memset(text, '#', sizeof text);
    int n = sprintf(text, "%s-%d", "abc", 42);
    printf("%d %s %c\n", n, text, text[7]);
    n = snprintf(text, 5, "%d", 1234567);
    printf("%d %s\n", n, text);
    n = snprintf(text, 1, "%d", 1234567);
    printf("%d [%s]\n", n, text);
    n = snprintf(NULL, 0, "%.10f", 0.5);
    printf("%d\n", n);
    n = snprintf(text, sizeof text, "%s", "");
    printf("%d [%s]\n", n, text);
    return 0;
}
