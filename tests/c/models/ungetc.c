//@ model: ungetc
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: 12+34
#include <ctype.h>
#include <stdio.h>

static int number(void)
{
    int n = 0, c;
    while (isdigit(c = getchar()))
        n = n * 10 + (c - '0');
    printf("(%d)", ungetc(c, stdin));
    return n;
}

int main(void)
{
    int a = number();
    int plus = getchar();
    int b = number();
    printf("%d%c%d %d\n", a, plus, b, getchar());
    printf("%c %d %d\n", ungetc('x', stdin), feof(stdin) != 0, getchar());
    return 0;
}
