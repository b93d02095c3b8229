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
    printf("%d%c%d ", a, plus, b);
    printf("%d\n", getchar());
    printf("%c ", ungetc('x', stdin));
    printf("%d ", feof(stdin) != 0);
    printf("%c\n", getchar());
    return 0;
}
